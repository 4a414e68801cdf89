// Writes a verdict as a report. A report depends only on the verdict, and not on the time of day, so equal verdicts
// give equal reports, byte by byte. A report draws no conclusions beyond the verdict.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "judge/judge.h"

struct text;

// A struct report_options holds the properties of the terminal or file to which a report is written.
struct report_options {
    int colour;  // 1: use ANSI colours
    int utf8;    // 1: UTF-8; 0: ASCII only, for locales without UTF-8
    int columns; // maximum line length; 0: REPORT_COLUMNS
    int all;     // 1: all findings and compiler's messages, also findings that follow from another; 0: one screen
};
enum { REPORT_LINES = 40, REPORT_COLUMNS = 100 };

// Returns the maximum line length of a report in columns.
int report_columns(const struct report_options *);

enum report_paint { PAINT_PLAIN, PAINT_RED, PAINT_GREEN, PAINT_YELLOW, PAINT_BOLD };
// Appends text in the colour `paint` if the report_options allow colours, or else without colour.
void report_paint(const struct report_options *, enum report_paint, const char *text, struct text *out);
// Appends line `line` of the source with its line number in its file, and a caret below `column` (0: no caret). Appends
// nothing if the source has fewer lines than `line`.
void report_quote(const struct report_options *, const struct bundle *source, uint32_t line, uint32_t column,
                  struct text *out);

// Appends the report for a terminal. Unless the options ask for all, the terminal report shortens its lists of findings
// and compiler's messages so that it has at most REPORT_LINES lines. The terminal report wraps its sentences at the
// maximum line length, but not the first lines of findings, the compiler's messages and the timeline.
void report_terminal(const struct verdict *, const struct report_options *, struct text *out);
// The function report_before_next() appends the terminal report without the advice. The function report_next() appends
// the advice on what to do next. The report without the advice does not depend on the advice, so it can be printed
// while a repair is still tried.
void report_before_next(const struct verdict *, const struct report_options *, struct text *out);
void report_next(const struct verdict *, const struct report_options *, struct text *out);
// Appends only the findings of the verdict, the most severe finding first, in UTF-8.
void report_findings(const struct verdict *, const struct report_options *, struct text *out);
// Appends the whole verdict as JSON (report/schema.json) with a line feed.
void report_json(const struct verdict *, struct text *out);
#define REPORT_SCHEMA "warpwise-report/1"

// Appends the verdict as JUnit XML for build servers. The class name of a JUnit test case names a row of the rubric.
void report_junit(const struct verdict *, struct text *out);
// Appends what the verdict says of lines of the source, for a build server that shows it beside these lines: as
// workflow commands of GitHub Actions, which the workflow prints to its log, or as a Code Quality report of GitLab
// (JSON).
void report_github(const struct verdict *, struct text *out);
void report_gitlab(const struct verdict *, struct text *out);

// Appends the coverage of the kernel's lines by the test cases as an lcov tracefile. `path` is the path under which
// genhtml finds the student's source.
void report_lcov(const struct verdict *, const char *path, struct text *out);
// A struct report_range is a range of source lines, from `first` to `last` inclusive.
struct report_range {
    uint32_t first, last;
};
// Finds the ranges of source lines whose code no test case executed. A range of lines may contain lines without code.
// Stores the first `most` ranges of unexecuted lines in `range`, and returns how many such ranges exist.
uint32_t report_uncovered(const struct coverage *, struct report_range *range, uint32_t most);
// Appends a sentence such as "no case ran lines 31-33 and 40", or nothing if the test cases executed all lines with
// code.
void report_uncovered_lines(const struct verdict *, struct text *out);

// Appends the two speedups that a lab requires, to pass and for full marks.
void report_threshold(const struct lab_threshold *, struct text *out);

// A struct report_rate holds the rates of memory traffic and arithmetic in the speed case, the test case whose time is
// measured. The rate of memory traffic is in GB/s and counts each byte of the speed case's arrays once. The rate of
// arithmetic is in GFLOP/s of float operations. The fields gbs_limit and gflops_limit are the device's limits for
// memory traffic and arithmetic (device/roofline.h), or 0 if unknown.
struct report_rate {
    double gbs, gbs_limit, gflops, gflops_limit;
    int arithmetic; // 1: arithmetic is closer to its limit than memory traffic
};
// Computes the rates of memory traffic and arithmetic in the speed case from the submission's time in the verdict. The
// submission's time in the verdict is a time from the simulator or a time measured on a GPU.
struct report_rate report_rate(const struct verdict *);

// Appends the sentence of a finding. A finding's sentence tells what happened, to which array element, and by which
// thread, without line number, hint or full stop.
void report_finding(const struct verdict_finding *, struct text *sentence);
// Appends the sentence about the finding's second place in the source ("the other access, which writes"), or nothing if
// the finding has only one place.
void report_finding_other(const struct verdict_finding *, struct text *sentence);
// Appends the first line of a finding in the form of a compiler's message, such as "x.cu:12:5: error: race:
// <sentence>". In the first line of a finding, a defect is called an error, and a note is called a warning. Editors
// read the line's beginning up to the word "error", "warning" or "note", so this beginning is never wrapped, translated
// or coloured, and always names file, line and column.
void report_first_line(const struct report_options *, const char *place, const struct finding_info *,
                       const char *sentence, struct text *out);
// Appends a line about another source line that a finding involves, such as "x.cu:10:5: note: <sentence>".
void report_note_line(const char *place, const char *sentence, struct text *out);
// Appends a place in the source as "student.cu:12:5", without line and column if the line is unknown. A place whose
// column is unknown gets the column of the line's first character that is not blank. For a line of a header
// that was handed in with the student's file, report_place() appends the header's path and the line's number in the
// header.
void report_place(const struct finding_place *, const struct bundle *source, struct text *out);

#endif
