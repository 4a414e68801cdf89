// Measures the speed of kernels on a card. Baseline and student run in turn in paired trials, and every output of a
// timed iteration is compared.
#ifndef JUDGE_CARD_KERNELS_H
#define JUDGE_CARD_KERNELS_H

#include "judge/card/measurement.h"
#include "judge/job/job.h"

// Measures the lab's speed case with two runners, which both use the card. `student` and `baseline` are images for the
// card (cubin or PTX). Calls die() only if the machine or the grader is at fault.
//
// Grading passes 1 as `times`. A test of the answer's repeatability passes a larger number and gets up to `times`
// measurements from the same two runners. Measuring stops after the first measurement that does not end with
// MEASURE_DONE. Inputs are changed and outputs are compared only in the first measurement.
void kernels_measure(const struct judge_job *, const struct text *student, const struct text *baseline,
                     struct measurement out[], uint32_t times);

#endif
