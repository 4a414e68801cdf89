// Reads a rubric and scores reports by the rubric. A rubric contains the points for each row, such as "correct" and
// "speed", and the speedups that a course requires. Scoring a report needs no new run of the grader.
//
//   {"name": "week 9", "rows": {"speed": 10, "correct": 50},
//    "labs": {"lab3": {"rows": {"technique": 0}, "minimum": 2.5, "full": 6}}}
//
// If a course's rubric does not name a row of the report, the row keeps the points of the autograder's own rubric. The
// fields "minimum" and "full" are the speedups over the baseline that a pass and full marks require.
#ifndef BATCH_BOOK_RUBRIC_H
#define BATCH_BOOK_RUBRIC_H

#include "judge/judge.h"

enum {
    // BATCH_HASH is the size of a SHA-256 in hexadecimal digits with the terminating NUL. The constant of libmd is not
    // used because ./grade builds without libmd.
    RUBRIC_LABS = 64,
    BATCH_HASH = 65,
};
// A parsed rubric.
struct rubric_file {
    char hash[BATCH_HASH]; // SHA-256 of the text
    char name[80];
    struct text text; // the rubric as JSON; empty: the kit's own rubric; owned
    struct rubric_lab {
        const struct lab *lab;
        struct rubric rubric;
        double minimum, full; // required speedups over the baseline; 0: the kit's own thresholds
    } lab[RUBRIC_LABS];
    uint32_t labs;
};
// Parses a rubric. If the text is empty, rubric_parse() gives the rubric that comes with the autograder. Returns 0, or
// -1 with an error message in `why` that begins with the wrong line or the wrong field's path. The caller frees the
// rubric with rubric_free() after success and after failure.
int rubric_parse(struct rubric_file *, const char *json, size_t bytes, struct text *why);
void rubric_free(struct rubric_file *);

// Holds the points that a rubric gives to one report. The field `most` is the number of points possible by the rubric.
struct rubric_score {
    int points[RUBRIC_ROWS], total, most, passed;
    struct text reasons; // JSON array of the reasons for not passing; owned
};
// Scores a JSON report (warpwise-report/1). `measured` is NULL, or the JSON object "speed" of a report that was made
// after `report` and whose speed was measured on a card. The measured speed counts if it gives more points than the
// speed in `report`. Dies if the report does not have the format of report_json().
void rubric_score(const struct rubric_file *, const char *lab, const char *report, const char *measured,
                  struct rubric_score *);

#endif
