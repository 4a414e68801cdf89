// Computes the results of a class: each student's mark in each lab, by the course's rules and by marks set by hand.
#ifndef BATCH_RESULTS_H
#define BATCH_RESULTS_H

#include "batch/gradebook.h"
#include "batch/mark.h"

// A student's result in one lab.
struct results_lab {
    const struct course_lab *rules;
    uint32_t attempts;
    struct mark mark; // owned
    int by_hand;      // 1: the mark was set by hand
    int64_t run; // the run whose report is the feedback: of the attempt that counts, or of the last attempt; 0: none
    int64_t attempt; // the attempt of that run
    // seconds since 1970; 0: unknown, none
    int64_t submitted, due;
    // of that run, by row of the rubric
    int points[RUBRIC_ROWS];
    int passed;
};
// A student's results.
struct results_student {
    struct roster_student student; // strings in the arena
    int enrolled;                  // 1: on the roster
    struct results_lab *lab;       // `labs` elements
};
// The results of a class.
struct results {
    struct arena arena;
    const struct course *course;
    const struct lab *const *lab; // NULL-terminated
    uint32_t labs;
    struct rubric_file rubric;    // the rubric that scores; owned
    struct results_student *item; // ordered by name, enrolled students first
    uint32_t count;
};
// Reads the results of all students from a gradebook. `labs` is NULL-terminated and must outlive the results. Free with
// results_free().
void results_read(struct results *, struct gradebook *, const struct course *, const struct lab *const *labs);
void results_free(struct results *);
// Returns a student's mark in the course so far, in percent, by the weights of the labs. A lab that is overdue and was
// not handed in counts as zero. Returns NAN if nothing counts yet.
double results_percent(const struct results *, const struct results_student *, int64_t now);

#endif
