// Computes one student's mark in one lab. The function mark_decide() applies the course's rules to all attempts and
// explains each applied rule in a sentence.
#ifndef BATCH_COURSE_MARK_H
#define BATCH_COURSE_MARK_H

#include "base/text_struct.h"
#include "batch/course/course.h"

// Tells where the submission time of an attempt comes from.
enum mark_clock {
    CLOCK_NONE,   // unknown time: the attempt counts as in time
    CLOCK_FILE,   // modification time of the file in its folder or archive
    CLOCK_COMMIT, // date of the git commit
    CLOCK_SYSTEM, // time recorded by the course system
    CLOCKS
};
// Holds a student's attempt with its points by the rubric.
struct mark_attempt {
    int64_t id;
    int64_t submitted; // seconds since 1970; 0: unknown
    enum mark_clock clock;
    int late;   // lateness by the course system: 1 late, 2 in time, 0 unknown
    int graded; // 0: the machine could not grade the attempt, and `total` is unset
    // `total`: points reached; `of`: points possible
    double total, of;
};
// Holds a student's mark in a lab and its explanation.
struct mark {
    int there; // 1: the student has a mark; 0: no attempt counts yet
    // number of the attempt that the mark comes from; 0: the student has no mark, or a person set the mark
    int64_t attempt;
    double points;       // points after all rules
    double raw, of;      // `raw`: points before the rules; `of`: points possible
    double penalty;      // points subtracted for lateness
    struct text applied; // one line for each rule that was applied; owned, freed by mark_free()
};
// Computes a student's mark in a lab from the student's attempts, which must be sorted by time. `due` is the lab's due
// date in seconds since 1970, or 0 if there is no due date. `extended` is the number of seconds by which an extension
// moved the due date. The caller frees the mark with mark_free().
void mark_decide(const struct course_lab *, int64_t due, int64_t extended, const struct mark_attempt *attempt,
                 uint32_t count, struct mark *);
void mark_free(struct mark *);

#endif
