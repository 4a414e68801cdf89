// Writes the report on a submission as an HTML page.
#ifndef REPORT_PAGE_HTML_H
#define REPORT_PAGE_HTML_H

#include <stdint.h>

struct explain;
struct report_trace;
struct text;
struct verdict;
struct verdict_step;

// A struct report_attempt is one grading of the lab, for the history on the HTML page.
struct report_attempt {
    char when[32]; // local time, "2026-11-21 15:27"
    int total, passed;
    double speedup; // speedup; 0: not measured
};
// A struct report_page holds the data that the HTML page shows besides the verdict.
struct report_page {
    const struct explain *explain, *reference; // explanations of the speed case (report/explain.h); NULL: not shown
    const struct report_attempt *attempt;      // attempts, the oldest first; the last is the present grading
    uint32_t attempts;
    const struct verdict_step *step; // the block in which the first finding is (judge/verdict/step.h); NULL: not shown
};
// Appends the report as one HTML page without references to other files. Its only script shows the recorded block.
void report_html(const struct verdict *, const struct report_page *, struct text *out);
// Appends the whole run of the host program as one HTML page without scripts or references to other files. Quotes only
// lines of the sources in the struct report_trace.
void report_html_trace(const struct report_trace *, struct text *out);

#endif
