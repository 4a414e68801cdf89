// Declares the page's data and the functions that append to the page, for the files that write the HTML page.
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/explain.h"
#include "report/report.h"

// A page that is being written.
struct page {
    const struct verdict *v;
    const struct report_page *more;
    struct text *out;
};

// page_text() and page_textf() append text of unknown origin, escaped.
void page_text(const struct page *, const char *text);
void page_textf(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends a message in the user's language, escaped.
void page_say(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// page_puts() and page_printf() append markup, unescaped.
void page_puts(const struct page *, const char *markup);
void page_printf(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends a bar that fills `permille` of its width. The bar is hidden from screen readers, because the number stands
// beside the bar. `class` is "", "good" or "bad".
void page_meter(const struct page *, uint32_t permille, const char *class);
// Opens a section with a heading. The caller ends the section with page_section_end().
void page_section(const struct page *, const char *id, const char *heading);
void page_section_end(const struct page *);
// Opens a box that scrolls, for a picture or table wider than the page. Screen readers announce the box by `name`.
void page_scroll(const struct page *, const char *name, const char *class);
// Opens a <details> element for a table with the data of a picture.
void page_details(const struct page *);
// A column of a table. `class` may be NULL.
struct page_column {
    const char *heading, *class; // heading "": a column without heading
};
// Opens a table and writes the row of headings. The last element of the column array has a NULL heading. Headings are
// English, marked by N_(). A heading that word.def defines becomes a link to its definition. `class` may be NULL.
void page_table(const struct page *, const char *class, const char *caption, const struct page_column *);
void page_table_end(const struct page *);
// Appends a word of the report, translated, as a link to its definition. `word` is English, as in word.def.
void page_word(const struct page *, const char *word); // in page_words.c

void page_findings(const struct page *); // in page_source.c
void page_source(const struct page *);
void page_access(const struct page *); // in page_kernel.c
void page_resources(const struct page *);
void page_occupancy(const struct page *);
void page_timeline(const struct page *); // in page_timeline.c
void page_words(const struct page *);    // in page_words.c

#endif
