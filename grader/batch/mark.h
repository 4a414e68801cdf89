// One student's mark in one lab: the course's rules applied to all attempts, and each rule said.
#ifndef BATCH_MARK_H
#define BATCH_MARK_H

#include "batch/course.h"

// How it is known when an attempt was handed in.
enum mark_clock {
    CLOCK_NONE,   // it is not: it counts as in time
    CLOCK_FILE,   // by the file's time, as it lay in a folder or archive
    CLOCK_COMMIT, // by the commit's own date
    CLOCK_SYSTEM, // by the course system
    CLOCKS
};
struct mark_attempt {
    int64_t id;
    int64_t submitted; // 0 when not known
    enum mark_clock clock;
    int late;   // 1: the course system calls it late, 2: it calls it in time; 0: it says nothing
    int graded; // 0: the machine could not; `total` is unset
    double total, of;
};
struct mark {
    int there;           // 0: nothing counts yet
    int64_t attempt;     // whose mark it is; 0: none, or set by hand
    double points;       // what counts, after all rules
    double raw, of;      // before them; points at most
    double penalty;      // what lateness took
    struct text applied; // a sentence a line for each rule that was applied; owned, freed by mark_free
};
// `attempt` in the order in which they were handed in. `due` 0: none.
void mark_decide(const struct course_lab *, int64_t due, int64_t extended, const struct mark_attempt *attempt,
                 uint32_t count, struct mark *);
void mark_free(struct mark *);

#endif
