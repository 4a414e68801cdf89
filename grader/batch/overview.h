// How the class did in one lab: figures for a person to look at, printed by overview_print().
#ifndef BATCH_OVERVIEW_H
#define BATCH_OVERVIEW_H

#include "batch/results.h"
#include "batch/similarity.h"

enum { OVERVIEW_BARS = 11, OVERVIEW_COUNTS = 24 };

struct overview_count { // how many students something happened to
    char what[80];
    uint32_t students;
};
struct overview_counts {
    struct overview_count item[OVERVIEW_COUNTS]; // most first
    uint32_t count;
};
struct overview {
    const struct lab *lab;
    uint32_t students, handed_in, graded, passed;
    double mean, median;         // of the marks in percent
    uint32_t bar[OVERVIEW_BARS]; // marks of 0-9, 10-19, …, 90-99 and 100 percent
    struct overview_counts rows; // of the rubric: who lost points there
    struct overview_counts reasons, findings, unusual;
    uint32_t measured, below, between, full; // speedups: measured at all; below the minimum; short of full marks; rest
    double quartile[3], minimum, most;
    const char **missing; // NULL-terminated: names of who has not handed in
    // Of each student (index in the results): likeness to the solution, to the nearest rung of the ladder, to the
    // nearest source of an earlier term (NULL: none was named), to the nearest classmate; and the first of the group of
    // students who are alike by one or more steps, himself when he is alone.
    double *reference, *rung, *earlier, *classmate;
    uint32_t *group;
};
// Where the kit's own sources are, and an earlier term's gradebook.
struct overview_sources {
    const char *root;          // the kit's
    struct gradebook *earlier; // NULL: none
};
// What is allocated is the results' arena's.
void overview_make(struct overview *, struct results *, struct gradebook *, uint32_t lab,
                   const struct overview_sources *);
void overview_print(const struct overview *, const struct results *, struct text *out);
// The same as a page of its own.
void overview_html(const struct overview *, uint32_t count, const struct results *, struct text *out);

#endif
