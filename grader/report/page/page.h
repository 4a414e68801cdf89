// Declares the data and functions that the files page*.c share to write the report as an HTML page.
#ifndef REPORT_PAGE_PAGE_H
#define REPORT_PAGE_PAGE_H

#include "report/explain.h"
#include "report/page/html.h"
#include "report/report.h"
#include "report/trace.h"

// A struct page is an HTML page that is being written.
// An HTML page shows either a verdict, `v` and `more`, or the run of a host program, `run`. The others are NULL.
struct page {
    const struct verdict *v;
    const struct report_page *more;
    struct text *out;
    const struct report_trace *run;
    int scripts; // 1: the page contains the script with which a reader walks through a recorded block
};

// Opens the HTML page: everything up to the tag <body>, and a link for the keyboard that skips to the section `first`.
// `skip` is the link's text in English, marked by N_() for translation.
void page_open(const struct page *, const struct text *title, const char *first, const char *skip);
// A struct page_part is a section that the page's navigation lists.
struct page_part {
    int there; // 0: the page does not have the section
    const char *id, *name;
};
void page_navigation(const struct page *, const struct page_part *, size_t parts);

// Appends text of unknown origin to the HTML page, escaped.
void page_text(const struct page *, const char *text);
void page_textf(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends a message to the HTML page, translated into the user's language and escaped.
void page_say(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends HTML markup to the page, unescaped.
void page_puts(const struct page *, const char *markup);
void page_printf(const struct page *, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Appends a bar that is filled to `permille` thousandths of its width. The filled bar is hidden from screen readers,
// because the caller writes the number that the bar shows beside the bar. The CSS class `class` is "", "good" or "bad".
void page_meter(const struct page *, uint32_t permille, const char *class);
// Opens a section of the HTML page with a heading. The caller ends the section with page_section_end().
void page_section(const struct page *, const char *id, const char *heading);
void page_section_end(const struct page *);
// Opens a box that scrolls, for a picture or table that may be wider than the page. Screen readers announce the
// scrolling box by `name`.
void page_scroll(const struct page *, const char *name, const char *class);
// Opens a <details> element for a table with the data of a picture.
void page_details(const struct page *);
// A struct page_column is a column of an HTML table. `class` may be NULL.
struct page_column {
    const char *heading, *class; // heading "": a column without heading
};
// Opens an HTML table and writes the row of headings. The last element of the page_column array has a NULL heading.
// Headings of a table are in English, marked by N_() for translation. A table's heading that word.def defines becomes a
// link to its definition. `class` may be NULL.
void page_table(const struct page *, const char *class, const char *caption, const struct page_column *);
void page_table_end(const struct page *);
// Appends a technical term of the report, translated, as a link to its definition in the glossary. `word` is the
// English term as it stands in word.def.
void page_word(const struct page *, const char *word); // in page_words.c

// Writes the cells with a source line's figures, five of them.
void page_line_figures(const struct page *, const struct explain_line *); // in page_source.c
// Writes a table with the time that each resource alone would take, the longest time first. `time_ps` is the time of
// the launch.
void page_resource_table(const struct page *, const char *caption, const uint64_t resource_ps[RESOURCES],
                         uint64_t time_ps, uint32_t bound); // in page_kernel.c
// Writes a timeline as a picture and as a table.
void page_operations(const struct page *, const struct lab_timeline *); // in page_timeline.c

void page_findings(const struct page *); // in page_source.c
void page_source(const struct page *);
void page_access(const struct page *); // in page_kernel.c
void page_resources(const struct page *);
void page_occupancy(const struct page *);
void page_timeline(const struct page *); // in page_timeline.c
// The following functions are in page_step.c. They append the policy that allows the page's script, its style sheet,
// the script itself, and a recorded block, which the script shows.
void page_step_policy(const struct page *);
void page_step_style(const struct page *);
void page_step_script(const struct page *);
struct verdict_step;
void page_step_walk(const struct page *, const struct verdict_step *);
void page_words(const struct page *); // in page_words.c; of a host program's run, the words that the page uses

#endif
