// Summarises the results of a class in one lab: marks, reasons for lost points, speedups, missing students and similar
// sources.
#ifndef BATCH_EXPORT_OVERVIEW_H
#define BATCH_EXPORT_OVERVIEW_H

#include "batch/book/results.h"
#include "batch/export/similarity.h"

enum { OVERVIEW_BARS = 11, OVERVIEW_COUNTS = 24 };

// Holds an observation, such as a kind of finding, and the number of students with this observation.
struct overview_count {
    char what[80];
    uint32_t students;
};
// Lists observations with the number of students for each observation.
struct overview_counts {
    struct overview_count item[OVERVIEW_COUNTS]; // sorted by number of students, largest first
    uint32_t count;
};
// Overview of one lab.
struct overview {
    const struct lab *lab;
    uint32_t students, handed_in, graded, passed;
    double mean, median;         // mean and median of the marks, in percent
    uint32_t bar[OVERVIEW_BARS]; // number of students with a mark of 0-9, 10-19, …, 90-99 and 100 percent
    struct overview_counts rows; // rubric rows, each with the number of students who lost points in the row
    struct overview_counts reasons, findings, unusual;
    // Numbers of students. `measured` counts students whose speedup was measured. `below` counts speedups below the
    // minimum. `between` counts speedups from the minimum to less than full marks. `full` counts speedups that earn
    // full marks.
    uint32_t measured, below, between, full;
    // Speedups over the baseline. `most` is the speedup that earns full marks.
    double quartile[3], minimum, most;
    const char **missing; // names of the students who handed in nothing; NULL-terminated
    // Arrays with one element for each student, in the order of the results. Each element is a similarity from 0 to 1.
    // `reference` is the similarity to the solution. `rung` is the similarity to the nearest rung of the lab's ladder
    // of example solutions. `earlier` is the similarity to the nearest source of an earlier term, or NULL if no earlier
    // term was named. `classmate` is the similarity to the nearest classmate.
    double *reference, *rung, *earlier, *classmate;
    // Group of each student, named by the index of the group's first member. Each member of a group is similar to at
    // least one other member. A student who is similar to nobody is alone in a group.
    uint32_t *group;
};
// Names the places of other sources with which the submissions of a class are compared.
struct overview_sources {
    const char *root;          // root folder of the kit
    struct gradebook *earlier; // gradebook of an earlier term; NULL: no earlier term is compared
};
// Computes the overview of one lab, whose index in the results is `lab`. The arena in struct results owns all memory of
// the overview.
void overview_make(struct overview *, struct results *, struct gradebook *, uint32_t lab,
                   const struct overview_sources *);
// Appends the overview of a lab as text for a terminal to `out`.
void overview_print(const struct overview *, const struct results *, struct text *out);
// Appends the overviews of `count` labs as one HTML page to `out`.
void overview_html(const struct overview *, uint32_t count, const struct results *, struct text *out);

#endif
