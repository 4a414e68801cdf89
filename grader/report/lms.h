// A verdict as the result file of a course system. Each has a writer of its own; what they share is the rubric's rows
// with what is said of each. Hidden cases disclose no sizes and no values, in any of them.
#ifndef REPORT_LMS_H
#define REPORT_LMS_H

#include "judge/judge.h"

// What the system told of the submission, and when it was graded; only classroom50 wants them. None is NULL.
struct lms_about {
    const char *classroom, *assignment, *submission, *commit, *release, *review;
    const char *when; // UTC, "2026-11-21T15:27:00Z"
};

struct lms {
    const char *name, *path; // path: where the system expects the file; "-": standard output, behind all else
    void (*write)(const struct verdict *, const struct lms_about *, struct text *);
};
extern const struct lms lms_all[];            // ends with a NULL name; by name
const struct lms *lms_find(const char *name); // NULL: there is none

// The rubric's rows. `held`: nothing more is asked for (speed: fast enough, whatever the points).
enum { LMS_TEXT_MOST = 32768 }; // bytes; PrairieLearn takes a megabyte for the whole file
struct lms_row {
    const char *name;
    int points, of, held;
    struct text said; // lines
};
void lms_rows(const struct verdict *, struct lms_row row[RUBRIC_ROWS]);
void lms_rows_free(struct lms_row row[RUBRIC_ROWS]);
int lms_most(const struct lms_row row[RUBRIC_ROWS]); // points that can be had

#define LMS(name, path) void lms_##name(const struct verdict *, const struct lms_about *, struct text *);
#include "report/lms.def"
#undef LMS

#endif
