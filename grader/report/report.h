// Writes a verdict as a report. A report depends only on the verdict, and not on the time of day, so equal verdicts
// give equal bytes. A report draws no conclusions beyond the verdict.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/text.h"
#include "judge/judge.h"

// The properties of the output device.
struct report_options {
    int colour;  // 1: use ANSI colours
    int utf8;    // 1: UTF-8; 0: ASCII only, for locales without UTF-8
    int columns; // maximum line length; 0: REPORT_COLUMNS
};
enum { REPORT_LINES = 40, REPORT_COLUMNS = 100 };

// Returns the maximum line length in columns.
int report_columns(const struct report_options *);

enum report_paint { PAINT_PLAIN, PAINT_RED, PAINT_GREEN, PAINT_YELLOW, PAINT_BOLD };
// Appends text, in the given colour if the options allow colours.
void report_paint(const struct report_options *, enum report_paint, const char *text, struct text *out);
// Appends a line of a source with its line number, and a caret below `column` (0: no caret). Appends nothing if the
// source has no such line.
void report_quote(const struct report_options *, const char *source, size_t bytes, uint32_t line, uint32_t column,
                  struct text *out);

// Appends the report for a terminal. The report has at most REPORT_LINES lines. A line is longer than the columns only
// if a compiler's message contains a longer word.
void report_terminal(const struct verdict *, const struct report_options *, struct text *out);
// Appends only the findings, the most severe first, in UTF-8.
void report_findings(const struct verdict *, const struct report_options *, struct text *out);
// Appends the whole verdict as JSON (report/schema.json) with a line feed.
void report_json(const struct verdict *, struct text *out);
#define REPORT_SCHEMA "warpwise-report/1"

// Appends the verdict as JUnit XML for build servers. Each row of the rubric is a test case.
void report_junit(const struct verdict *, struct text *out);

// One grading of the lab, for the history on the page.
struct report_attempt {
    char when[32]; // local time, "2026-11-21 15:27"
    int total, passed;
    double speedup; // speedup; 0: not measured
};
// The data that the HTML page shows besides the verdict.
struct report_page {
    const struct explain *explain, *reference; // explanations of the speed case (report/explain.h); NULL: not shown
    const struct report_attempt *attempt;      // attempts, the oldest first; the last is the present grading
    uint32_t attempts;
};
// Appends the report as one HTML page without scripts or references to other files.
void report_html(const struct verdict *, const struct report_page *, struct text *out);

// Appends the coverage of the cases as an lcov tracefile. `path` is the path under which genhtml finds the source.
void report_lcov(const struct verdict *, const char *path, struct text *out);
// A range of lines. Both ends belong to the range.
struct report_range {
    uint32_t first, last;
};
// Finds the ranges of lines with code that no case executed. A range may contain lines without code. Stores the first
// `most` ranges and returns the total number of ranges.
uint32_t report_uncovered(const struct coverage *, struct report_range *range, uint32_t most);
// Appends "no case ran lines 31-33 and 40", or nothing if all lines were executed.
void report_uncovered_lines(const struct coverage *, struct text *out);

// The rates of the speed case. Memory traffic is in GB/s and counts each byte of the case's arrays once. Arithmetic is
// in GFLOP/s of float operations. The limits are the device's limits (device/roofline.h), or 0 if unknown.
struct report_rate {
    double gbs, gbs_limit, gflops, gflops_limit;
    int arithmetic; // 1: arithmetic is closer to its limit than memory traffic
};
// Computes the rates from the time that the verdict's engine measured.
struct report_rate report_rate(const struct verdict *);

// Appends the sentence of a finding. The sentence tells what happened, to which element, and by which thread, without
// line number, hint or full stop.
void report_finding(const struct verdict_finding *, struct text *sentence);
// Appends the sentence about the finding's second place ("the other access: …"), or nothing if there is no second
// place.
void report_finding_other(const struct verdict_finding *, struct text *sentence);
// Appends a place as "student.cu:12:5", without the parts that are unknown. `shown` is the name of the student's file.
void report_place(const struct finding_place *, const char *shown, struct text *out);
// Appends the name of case `index`, or "hidden case 2" if the case is hidden.
void report_case_name(const struct verdict *, uint32_t index, struct text *out);

#endif
