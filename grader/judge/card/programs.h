// The speed of a host lab's program on cards: it and the baseline run timed iterations, and every output that was timed
// is compared.
#ifndef JUDGE_CARD_PROGRAMS_H
#define JUDGE_CARD_PROGRAMS_H

#include "judge/card/measurement.h"
#include "judge/job/job.h"

struct programs_spec {
    const char *student, *baseline; // paths of the programs
    const struct text *image;       // the given kernel's PTX
    double share;                   // part of the numbers that the student's host code computed on simulated devices
};
// Measures the two programs `times` times, as kernels_measure() does with kernels (kernels.h). out[0].card stays empty
// if there is no card. Dies only when the machine or the grader is at fault.
void programs_measure(const struct judge_job *, const struct programs_spec *, struct measurement out[], uint32_t times);

#endif
