// Computes the results of a class. A student's mark in a lab follows from the course's rules, unless a person set the
// mark by hand.
#ifndef BATCH_BOOK_RESULTS_H
#define BATCH_BOOK_RESULTS_H

#include "batch/book/gradebook.h"
#include "batch/course/mark.h"

// Holds one student's result in one lab.
struct results_lab {
    const struct course_lab *rules;
    uint32_t attempts;
    struct mark mark; // owned
    int by_hand;      // 1: the mark was set by hand
    // Only if by_hand is 1: who set the mark, why, and when, in seconds since 1970; the points by the rules alone, or
    // NAN if no attempt counts.
    const char *by, *why;
    int64_t at;
    double ruled;
    // number of the run whose report is the feedback; 0: no run. The run belongs to the attempt that counts, or else to
    // the last attempt.
    int64_t run;
    int64_t attempt; // number of the attempt that `run` belongs to
    // the student's number in Moodle's assignment, such as "Participant 1234"; "": unknown
    const char *participant;
    // Seconds since 1970. `submitted` is 0 if the time is unknown, and `due` is 0 if there is no due date.
    int64_t submitted, due;
    // points of the run `run`, by row of the rubric
    int points[RUBRIC_ROWS];
    int passed;
};
// One student's results.
struct results_student {
    struct roster_student student; // the arena of struct results owns the strings
    int enrolled;                  // 1: the student is on the roster
    struct results_lab *lab;       // array with one element for each lab in struct results
};
// Results of a class.
struct results {
    struct arena arena;
    const struct course *course;
    const struct lab *const *lab; // NULL-terminated
    uint32_t labs;
    struct rubric_file rubric;    // current rubric of the gradebook; owned
    struct results_student *item; // students, sorted by name; enrolled students come first
    uint32_t count;
};
// Reads the results of all students from a gradebook. The caller's array `labs` is NULL-terminated and must outlive the
// results. The caller frees the results with results_free().
void results_read(struct results *, struct gradebook *, const struct course *, const struct lab *const *labs);
void results_free(struct results *);
// Returns 1 if the student is in the exported files: on the roster, or anybody who did not leave if there is no roster.
int results_is_listed(const struct results *, const struct results_student *);
// Returns the maximum points of a lab by the rubric.
int results_most(const struct results *, const struct lab *);
// Returns the points that the lab's assignment has in the course system, to which marks are scaled.
double results_total(const struct results *, const struct lab *);
// Returns a student's present mark in the course, in percent, as the weighted mean of the marks in the labs. A lab
// counts as zero if the lab is overdue at `now` and the student handed in nothing. The parameter `now` is a time in
// seconds since 1970. Returns NAN if no lab counts for the student yet.
double results_percent(const struct results *, const struct results_student *, int64_t now);

#endif
