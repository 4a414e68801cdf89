// Summarises how a class did in one lab: marks, reasons for lost points, speedups, missing students and similar
// sources.
#ifndef BATCH_OVERVIEW_H
#define BATCH_OVERVIEW_H

#include "batch/results.h"
#include "batch/similarity.h"

enum { OVERVIEW_BARS = 11, OVERVIEW_COUNTS = 24 };

// Something that happened to students, such as a finding, and the number of these students.
struct overview_count {
    char what[80];
    uint32_t students;
};
// Things that happened, with the number of students for each.
struct overview_counts {
    struct overview_count item[OVERVIEW_COUNTS]; // by number of students, largest first
    uint32_t count;
};
// The overview of one lab.
struct overview {
    const struct lab *lab;
    uint32_t students, handed_in, graded, passed;
    double mean, median;         // of the marks, in percent
    uint32_t bar[OVERVIEW_BARS]; // number of students with a mark of 0-9, 10-19, …, 90-99 and 100 percent
    struct overview_counts rows; // rows of the rubric, with the students who lost points there
    struct overview_counts reasons, findings, unusual;
    // Students whose speedup was measured; of them: below the minimum, from the minimum to less than full marks, full
    // marks.
    uint32_t measured, below, between, full;
    // speedups; `most` is the one that earns full marks
    double quartile[3], minimum, most;
    const char **missing; // NULL-terminated: names of the students who handed in nothing
    // Arrays with an element for each student, in the order of the results. They hold similarities from 0 to 1: to the
    // solution, to the most similar rung of the ladder, to the most similar source of an earlier term, and to the most
    // similar classmate. `earlier` is NULL if no earlier term was named.
    double *reference, *rung, *earlier, *classmate;
    // Groups of similar students, by index of their first member. A student is similar to some other member of his
    // group. A student who is similar to nobody is a group alone.
    uint32_t *group;
};
// The sources that submissions are compared with.
struct overview_sources {
    const char *root;          // root folder of the kit
    struct gradebook *earlier; // gradebook of an earlier term; NULL: none
};
// Computes the overview of lab number `lab`. The results' arena owns all that is allocated.
void overview_make(struct overview *, struct results *, struct gradebook *, uint32_t lab,
                   const struct overview_sources *);
// Appends the overview as text for a terminal.
void overview_print(const struct overview *, const struct results *, struct text *out);
// Appends the overviews of `count` labs as one HTML page.
void overview_html(const struct overview *, uint32_t count, const struct results *, struct text *out);

#endif
