// Writes a verdict as a report. A report concludes nothing of its own and depends on no clock: the same verdict gives
// the same bytes.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/text.h"
#include "judge/judge.h"

// What the output can show.
struct report_options {
    int colour;  // 1: ANSI colours
    int utf8;    // 0: ASCII only, for locales without UTF-8
    int columns; // maximum line length; 0: REPORT_COLUMNS
};
enum { REPORT_LINES = 40, REPORT_COLUMNS = 100 };

// Returns the maximum line length.
int report_columns(const struct report_options *);

enum report_paint { PAINT_PLAIN, PAINT_RED, PAINT_GREEN, PAINT_YELLOW, PAINT_BOLD };
// Appends text, in a colour if the options have colours.
void report_paint(const struct report_options *, enum report_paint, const char *text, struct text *out);
// Appends a line of a source with its number, and a caret below `column` (0: none). Appends nothing if the source has
// no such line.
void report_quote(const struct report_options *, const char *source, size_t bytes, uint32_t line, uint32_t column,
                  struct text *out);

// Appends the report for a terminal: at most REPORT_LINES lines. Only a long word of a compiler's message may exceed
// the columns.
void report_terminal(const struct verdict *, const struct report_options *, struct text *out);
// Appends the findings only, the most severe first, in UTF-8.
void report_findings(const struct verdict *, const struct report_options *, struct text *out);
// Appends the whole verdict as JSON (report/schema.json), with a line feed.
void report_json(const struct verdict *, struct text *out);
#define REPORT_SCHEMA "warpwise-report/1"

// Appends the verdict as JUnit XML for build servers: a test case for each row of the rubric.
void report_junit(const struct verdict *, struct text *out);

// An earlier grading of the same lab.
struct report_attempt {
    char when[32]; // "2026-11-21 15:27"
    int total, passed;
    double speedup; // 0: not measured
};
// What the page shows besides the verdict.
struct report_page {
    const struct explain *explain, *reference; // of the speed case (report/explain.h); NULL: not shown
    const struct report_attempt *attempt;      // the oldest first, including the present one
    uint32_t attempts;
};
// Appends the report as one HTML page without scripts or references to other files.
void report_html(const struct verdict *, const struct report_page *, struct text *out);

// Appends the coverage of the cases as an lcov tracefile. `path` is the path of the source by which genhtml finds it.
void report_lcov(const struct verdict *, const char *path, struct text *out);
// A range of lines, both ends included.
struct report_range {
    uint32_t first, last;
};
// Finds the ranges of lines with code that no case executed. A range may contain lines without code. Writes the first
// `most` ranges and returns their total number.
uint32_t report_uncovered(const struct coverage *, struct report_range *range, uint32_t most);
// Appends "no case ran lines 31-33 and 40", or nothing if all lines were executed.
void report_uncovered_lines(const struct coverage *, struct text *out);

// The rates of the speed case: memory traffic in GB/s, counting each byte of its arrays once, and GFLOP/s of float
// operations. The limits are the device's (device/roofline.h), or 0 if unknown.
struct report_rate {
    double gbs, gbs_limit, gflops, gflops_limit;
    int arithmetic; // 1: arithmetic, not memory traffic, is closer to its limit
};
// Computes the rates from the time of the engine that measured.
struct report_rate report_rate(const struct verdict *);

// Appends the sentence of a finding: what happened, to which element, by which thread. It has no line number, hint or
// full stop.
void report_finding(const struct verdict_finding *, struct text *sentence);
// Appends the sentence on the finding's second place ("the other access: …"), or nothing if there is none.
void report_finding_other(const struct verdict_finding *, struct text *sentence);
// Appends "student.cu:12:5", without the parts that are unknown. `shown` is the name of the student's file.
void report_place(const struct finding_place *, const char *shown, struct text *out);
// Appends the name of a case, or "hidden case 2".
void report_case_name(const struct verdict *, uint32_t index, struct text *out);

#endif
