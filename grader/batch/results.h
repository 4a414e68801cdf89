// Where everybody stands: each student's mark in each lab, by the course's rules and what was set by hand.
#ifndef BATCH_RESULTS_H
#define BATCH_RESULTS_H

#include "batch/gradebook.h"
#include "batch/mark.h"

struct results_lab {
    const struct course_lab *rules;
    uint32_t attempts;
    struct mark mark; // owned
    int by_hand;      // 1: the mark was set by hand
    int64_t run;      // whose report is the feedback: that of the mark's attempt, or the last one's; 0: none
    int64_t attempt;  // of it
    int64_t submitted, due;
    int points[RUBRIC_ROWS];
    int passed;
};
struct results_student {
    struct roster_student student; // in the arena
    int enrolled;                  // 0: not on the roster
    struct results_lab *lab;       // one for each of the labs
};
struct results {
    struct arena arena;
    const struct course *course;
    const struct lab *const *lab; // NULL-terminated
    uint32_t labs;
    struct rubric_file rubric;    // the one in force; owned
    struct results_student *item; // by name
    uint32_t count;
};
// Reads all of a gradebook. Free with results_free.
void results_read(struct results *, struct gradebook *, const struct course *, const struct lab *const *labs);
void results_free(struct results *);
// The course's mark so far in percent, by the labs' weights; NAN when nothing counts yet. A lab that is due and was not
// handed in counts zero.
double results_percent(const struct results *, const struct results_student *, int64_t now);

#endif
