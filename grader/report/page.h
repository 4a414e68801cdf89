// What the files that write the HTML page share: the page's data and functions that append to it.
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

// Append text of unknown origin, escaped.
void page_text(const struct page *, const char *text);
void page_textf(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends a message in the user's language, escaped.
void page_say(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Append markup, unescaped.
void page_puts(const struct page *, const char *markup);
void page_printf(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends a bar of `permille` of its width. It is hidden from screen readers, because the number stands beside it.
// `class` is "", "good" or "bad".
void page_meter(const struct page *, uint32_t permille, const char *class);
// Opens a section with a heading.
void page_section(const struct page *, const char *id, const char *heading);
void page_section_end(const struct page *);
// Opens a box that scrolls, for a picture or table wider than the page. `name` is its name for screen readers.
void page_scroll(const struct page *, const char *name, const char *class);
// Opens <details> for a table with the data of a picture.
void page_details(const struct page *);
// A column of a table. `class` may be NULL.
struct page_column {
    const char *heading, *class; // "": a column without heading
};
// Opens a table and writes the row of headings. The last column has a NULL heading. Headings are English, marked by
// N_(); a heading that word.def defines becomes a link to its meaning. `class` may be NULL.
void page_table(const struct page *, const char *class, const char *caption, const struct page_column *);
void page_table_end(const struct page *);
// Appends a word of the report, translated, as a link to its meaning. `word` is English, as in its table.
void page_word(const struct page *, const char *word); // in page_words.c

void page_findings(const struct page *); // in page_source.c
void page_source(const struct page *);
void page_access(const struct page *); // in page_kernel.c
void page_resources(const struct page *);
void page_occupancy(const struct page *);
void page_timeline(const struct page *); // in page_timeline.c
void page_words(const struct page *);    // in page_words.c

#endif
