// Reports: a verdict printed. Nothing is concluded here, and nothing depends on a clock: the same verdict gives the
// same bytes.
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/text.h"
#include "judge/judge.h"

struct report_options {
    int colour;  // 1: with ANSI colours
    int utf8;    // 0: ASCII alone, for locales without UTF-8
    int columns; // lines are broken before this one; 0: REPORT_COLUMNS
};
enum { REPORT_LINES = 40, REPORT_COLUMNS = 100 };

int report_columns(const struct report_options *);

enum report_paint { PAINT_PLAIN, PAINT_RED, PAINT_GREEN, PAINT_YELLOW, PAINT_BOLD };
// Text in a colour, where colours are wanted.
void report_paint(const struct report_options *, enum report_paint, const char *text, struct text *out);
// A line of a source behind its number, and a caret below its column (0: none). Nothing for a line that there is not.
void report_quote(const struct report_options *, const char *source, size_t bytes, uint32_t line, uint32_t column,
                  struct text *out);

// One screen: at most REPORT_LINES lines of at most so many columns (a long word of a compiler's message may
// stand out).
void report_terminal(const struct verdict *, const struct report_options *, struct text *out);
// The findings alone, the worst of them, in UTF-8.
void report_findings(const struct verdict *, const struct report_options *, struct text *out);
// The whole verdict as JSON, described by report/schema.json; ends with a line feed.
void report_json(const struct verdict *, struct text *out);
#define REPORT_SCHEMA "warpwise-report/1"

// The verdict as JUnit XML, for build servers: a test case for each part of the rubric.
void report_junit(const struct verdict *, struct text *out);

// One page of HTML that needs nothing else: no network, no script.
struct report_attempt { // an earlier grading of the same lab
    char when[32];      // "2026-11-21 15:27"
    int total, passed;
    double speedup; // 0: not measured
};
struct report_page {
    const struct explain *explain, *reference; // of the speed case (report/explain.h); NULL: not to be shown
    const struct report_attempt *attempt;      // the oldest first, this one among them
    uint32_t attempts;
};
void report_html(const struct verdict *, const struct report_page *, struct text *out);

// What the cases executed as an lcov tracefile; `path`: the source's, as genhtml is to find it.
void report_lcov(const struct verdict *, const char *path, struct text *out);
// Runs of lines with code that no case executed, lines without code in between; their number, `most` of them in range.
struct report_range {
    uint32_t first, last;
};
uint32_t report_uncovered(const struct coverage *, struct report_range *range, uint32_t most);
// "no case ran lines 31-33 and 40"; nothing when all were run.
void report_uncovered_lines(const struct coverage *, struct text *out);

// What the speed case came to, by whoever's clock counts: bytes of its arrays that must be moved, and float operations,
// a second; and what the device can do at the most (device/roofline.h), 0 where that is not known.
struct report_rate {
    double gbs, gbs_limit, gflops, gflops_limit;
    int arithmetic; // 1: there are so many operations for each byte that these are what to look at
};
struct report_rate report_rate(const struct verdict *);

// The sentence of a finding: what happened, to which element, by whom. No line number, no hint, no full stop.
void report_finding(const struct verdict_finding *, struct text *sentence);
// The sentence on its second place ("the other access: …"); nothing when there is none.
void report_finding_other(const struct verdict_finding *, struct text *sentence);
// "student.cu:12:5", or without what is unknown. `shown`: the student's file.
void report_place(const struct finding_place *, const char *shown, struct text *out);
// How a case is called: its name, or "hidden case 2".
void report_case_name(const struct verdict *, uint32_t index, struct text *out);

#endif
