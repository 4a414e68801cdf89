// Measures the speed of a host lab's program on cards. The program and the baseline run timed iterations in turn, and
// every output of a timed iteration is compared.
#ifndef JUDGE_CARD_PROGRAMS_H
#define JUDGE_CARD_PROGRAMS_H

#include "judge/card/measurement.h"
#include "judge/job/job.h"

struct programs_spec {
    const char *student, *baseline; // paths of the two programs' executable files
    const struct text *image;       // PTX of the given kernel
    double share; // fraction of the numbers that the student's host code computed on simulated devices
};
// Measures the two programs up to `times` times. `out` and `times` have the same meaning as in kernels_measure()
// (kernels.h). out[0].card stays empty if there is no card. Calls die() only if the machine or the grader is at fault.
void programs_measure(const struct judge_job *, const struct programs_spec *, struct measurement out[], uint32_t times);

#endif
