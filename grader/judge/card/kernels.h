// The speed of kernels on a card: baseline and student are measured against each other, and every output that was timed
// is compared.
#ifndef JUDGE_CARD_KERNELS_H
#define JUDGE_CARD_KERNELS_H

#include "judge/card/measurement.h"
#include "judge/job/job.h"

// Measures the lab's speed case with two runners that hold a card. `student` and `baseline` are images for it (cubin or
// PTX). Dies only when the machine or the grader is at fault.
//
// Grading measures once. A test of how steady the answer is passes `times` > 1 and gets as many measurements by the
// same runners, up to the first one that does not end with MEASURE_DONE. Inputs change and outputs are compared only in
// the first measurement.
void kernels_measure(const struct judge_job *, const struct text *student, const struct text *baseline,
                     struct measurement out[], uint32_t times);

#endif
