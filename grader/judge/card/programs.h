// Measures the speed of a student's host program on real GPUs. The student's program and the baseline program run timed
// iterations in turn, and every output of a timed iteration is compared with its expected value.
#ifndef JUDGE_CARD_PROGRAMS_H
#define JUDGE_CARD_PROGRAMS_H

#include "judge/card/measurement.h"
#include "judge/job/job.h"

struct programs_spec {
    const char *student, *baseline; // executable files of the student's program and the baseline
    const struct text *image;       // PTX of the lab's kernel
    double share; // fraction of the numbers that the student's host code computed on simulated devices
};
// Measures the student's program and the baseline program up to `times` times. `out` and `times` have the same meaning
// as in kernels_measure() (kernels.h). Leaves out[0].card empty if there is no GPU. Ends the grader by die() only for a
// fault of the machine or of the grader, never for a fault of the student's program.
void programs_measure(const struct judge_job *, const struct programs_spec *, struct measurement out[], uint32_t times);

#endif
