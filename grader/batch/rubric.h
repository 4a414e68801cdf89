// A course's rubric, and scoring by it from what was observed: nothing is run again.
//
//   {"name": "week 9", "rows": {"speed": 10, "correct": 50},
//    "labs": {"lab3": {"rows": {"technique": 0}, "minimum": 2.5, "full": 6}}}
//
// Rows that are not named keep the kit's points; minimum and full are speedups over the baseline.
#ifndef BATCH_RUBRIC_H
#define BATCH_RUBRIC_H

#include "judge/judge.h"

enum {
    RUBRIC_LABS = 64,
    BATCH_HASH = 65, // digits of a SHA-256 and a NUL; libmd's header is not there where the class program is not built
};
struct rubric_file {
    char hash[BATCH_HASH]; // of the text
    char name[80];
    struct text text; // owned; empty: the kit's own rubric
    struct rubric_lab {
        const struct lab *lab;
        struct rubric rubric;
        double minimum, full; // 0: the kit's
    } lab[RUBRIC_LABS];
    uint32_t labs;
};
// Reads a rubric's text; an empty one is the kit's own. 0; or -1 with a sentence in why that begins with the path of
// the field. Free with rubric_free in both cases.
int rubric_parse(struct rubric_file *, const char *json, size_t bytes, struct text *why);
void rubric_free(struct rubric_file *);

struct rubric_score {
    int points[RUBRIC_ROWS], total, most, passed;
    struct text reasons; // JSON array; owned
};
// Scores a report (warpwise-report/1). `measured`: the `speed` of a later measurement on a card, or NULL; it counts
// where it gives more. Dies when the report is not what report_json() writes.
void rubric_score(const struct rubric_file *, const char *lab, const char *report, const char *measured,
                  struct rubric_score *);

#endif
