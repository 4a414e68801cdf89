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
// Markup of ours.
void page_puts(const struct page *, const char *markup);
void page_printf(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// A bar of `permille` of its track, for the eye alone: the number stands beside it. `class`: "", "good", "bad".
void page_meter(const struct page *, uint32_t permille, const char *class);
// A section with a heading, which the navigation names.
void page_section(const struct page *, const char *id, const char *heading);
void page_section_end(const struct page *);
// "12.3 µs"
void page_time(const struct page *, uint64_t ps);

void page_findings(const struct page *); // page_source.c
void page_source(const struct page *);
void page_access(const struct page *); // page_kernel.c
void page_resources(const struct page *);
void page_occupancy(const struct page *);
void page_timeline(const struct page *); // page_timeline.c
void page_words(const struct page *);    // page_words.c

#endif
