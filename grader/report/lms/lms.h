// Writes a verdict as the result file of a course system, such as Gradescope. Each course system has a writer function,
// and all writer functions use the rubric's rows with a text for each row. Students read result files and feedback, so
// no file tells more of hidden test cases than the verdict does (judge/verdict/hide.c). Instructors get the same
// reports as students, because a report without secrets cannot show a secret to the wrong reader.
#ifndef REPORT_LMS_LMS_H
#define REPORT_LMS_LMS_H

#include "judge/judge.h"

// A struct lms_about holds the values of Classroom 50's environment variables for a submission, and the time of
// grading. A field of struct lms_about is NULL if its environment variable is not set.
struct lms_about {
    const char *classroom, *assignment, *submission, *commit, *release, *review;
    const char *when; // time of grading in UTC, "2026-11-21T15:27:00Z"
};

// A struct lms describes a course system and the function that writes its result file.
struct lms {
    const char *name, *path; // path: where the system expects the file; "-": standard output, after all other output
    void (*write)(const struct verdict *, const struct lms_about *, struct text *);
};
extern const struct lms lms_all[]; // ordered by name; the last element has a NULL name
// Returns the course system with the name `name`, or NULL if no course system has this name.
const struct lms *lms_find(const char *name);

// A struct lms_row is a row of the rubric (such as "correct" or "speed") with its points and text. `met` is 1 if the
// submission meets the minimum requirement of this row of the rubric. A submission may meet the minimum speed without
// earning all points for speed.
enum { LMS_TEXT_MOST = 32768 }; // maximum bytes of a row's text; PrairieLearn limits the whole file to a megabyte
struct lms_row {
    const char *name;
    int points, of, met;
    struct text text; // lines of text, owned by the row
};
// Computes the rubric's rows of a verdict. The caller frees the rubric's rows with lms_rows_free().
void lms_rows(const struct verdict *, struct lms_row row[RUBRIC_ROWS]);
void lms_rows_free(struct lms_row row[RUBRIC_ROWS]);
// Returns the sum of the points that a submission can reach in all rows of the rubric.
int lms_most(const struct lms_row row[RUBRIC_ROWS]);

#define LMS(name, path) void lms_##name(const struct verdict *, const struct lms_about *, struct text *);
#include "report/lms/lms.def"
#undef LMS

#endif
