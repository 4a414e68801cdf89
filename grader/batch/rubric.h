// A rubric: the points of each row and the speedups that a course requires. Scores a report by it without running
// anything again.
//
//   {"name": "week 9", "rows": {"speed": 10, "correct": 50},
//    "labs": {"lab3": {"rows": {"technique": 0}, "minimum": 2.5, "full": 6}}}
//
// Rows that the rubric does not name keep the kit's points. "minimum" and "full" are speedups over the baseline.
#ifndef BATCH_RUBRIC_H
#define BATCH_RUBRIC_H

#include "judge/judge.h"

enum {
    // Size of a SHA-256 in hexadecimal digits with its NUL. libmd's constant is not used, because ./grade builds
    // without libmd.
    RUBRIC_LABS = 64,
    BATCH_HASH = 65,
};
// A parsed rubric.
struct rubric_file {
    char hash[BATCH_HASH]; // SHA-256 of the text
    char name[80];
    struct text text; // JSON; empty: the kit's own rubric; owned
    struct rubric_lab {
        const struct lab *lab;
        struct rubric rubric;
        double minimum, full; // speedups; 0: the kit's own
    } lab[RUBRIC_LABS];
    uint32_t labs;
};
// Parses a rubric; an empty text is the kit's own rubric. Returns 0, or -1 with a sentence in `why` that begins with
// the path of the field. Free with rubric_free() in both cases.
int rubric_parse(struct rubric_file *, const char *json, size_t bytes, struct text *why);
void rubric_free(struct rubric_file *);

// The points of a report by a rubric.
struct rubric_score {
    int points[RUBRIC_ROWS], total, most, passed;
    struct text reasons; // JSON array of the reasons for not passing; owned
};
// Scores a JSON report (warpwise-report/1). `measured` is the report's object "speed" of a later measurement on a card,
// or NULL; it counts if it gives more points. Dies if report_json() did not write the report.
void rubric_score(const struct rubric_file *, const char *lab, const char *report, const char *measured,
                  struct rubric_score *);

#endif
