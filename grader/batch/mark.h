// Computes one student's mark in one lab: applies the course's rules to all attempts and records each rule in words.
#ifndef BATCH_MARK_H
#define BATCH_MARK_H

#include "batch/course.h"

// The source of an attempt's time.
enum mark_clock {
    CLOCK_NONE,   // unknown time: the attempt counts as in time
    CLOCK_FILE,   // modification time of the file in its folder or archive
    CLOCK_COMMIT, // date in the commit
    CLOCK_SYSTEM, // time that the course system recorded
    CLOCKS
};
// One attempt with its points by the rubric.
struct mark_attempt {
    int64_t id;
    int64_t submitted; // seconds since 1970; 0: unknown
    enum mark_clock clock;
    int late;   // what the course system says: 1 late, 2 in time, 0 nothing
    int graded; // 0: the machine could not grade the attempt; `total` is unset
    // points reached; points possible
    double total, of;
};
// A mark with its explanation.
struct mark {
    int there;           // 1: there is a mark; 0: no attempt counts yet
    int64_t attempt;     // the attempt that the mark comes from; 0: none, or the mark was set by hand
    double points;       // after all rules
    double raw, of;      // points before the rules; points possible
    double penalty;      // points subtracted for lateness
    struct text applied; // a line for each rule that was applied; owned, freed by mark_free()
};
// Computes the mark from the attempts, which are ordered by time. `due` is in seconds since 1970, 0 for none;
// `extended` is the number of seconds by which an extension moved it. Free the mark with mark_free().
void mark_decide(const struct course_lab *, int64_t due, int64_t extended, const struct mark_attempt *attempt,
                 uint32_t count, struct mark *);
void mark_free(struct mark *);

#endif
