// Inside of the page: what its parts are given, and how they write.
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/explain.h"
#include "report/report.h"

struct page {
    const struct verdict *v;
    const struct report_page *more;
    struct text *out;
};

// Text of anybody, escaped.
void page_text(const struct page *, const char *text);
void page_textf(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Text of ours in the reader's language, escaped.
void page_say(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Markup of ours.
void page_puts(const struct page *, const char *markup);
void page_printf(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A bar of `permille` of its track, for the eye alone: the number stands beside it. `class`: "", "good", "bad".
void page_meter(const struct page *, uint32_t permille, const char *class);
// A section with a heading.
void page_section(const struct page *, const char *id, const char *heading);
void page_section_end(const struct page *);
// A picture or table that may be wider than the page, and what it is called by who reads it aloud.
void page_scroll(const struct page *, const char *name, const char *class);
// Opens <details> for a table with what a picture shows.
void page_details(const struct page *);
// Ends with a table's first row; page_table_end() after its last. Headings are in English, as in N_(): those that
// word.def has are links to what they mean. Columns end with one without a heading; `class` may be NULL.
struct page_column {
    const char *heading, *class; // "": a column that needs no heading
};
void page_table(const struct page *, const char *class, const char *caption, const struct page_column *);
void page_table_end(const struct page *);
// A word of the report, in English as its table has it: printed in the reader's language, as a link to its meaning.
void page_word(const struct page *, const char *word); // page_words.c

void page_findings(const struct page *); // page_source.c
void page_source(const struct page *);
void page_access(const struct page *); // page_kernel.c
void page_resources(const struct page *);
void page_occupancy(const struct page *);
void page_timeline(const struct page *); // page_timeline.c
void page_words(const struct page *);    // page_words.c

#endif
