// Measures the speed of a student's kernels on a real GPU. The baseline (the lab's own slow kernels) and the student's
// kernels run in turn in paired trials. Every output of the student's timed iterations is compared with its expected
// value.
#ifndef JUDGE_CARD_KERNELS_H
#define JUDGE_CARD_KERNELS_H

#include "judge/card/measurement.h"
#include "judge/job/job.h"

// Measures the lab's speed case with two runner processes on one GPU, one for the baseline (the lab's own slow kernels)
// and one for the student's kernels. `student` and `baseline` are the compiled images for the GPU (cubin or PTX). Ends
// the grader by die() only for a fault of the machine or of the grader, never for a fault of the student's kernels.
//
// Makes up to `times` measurements and stores their results in `out`. All measurements use one runner process for the
// baseline and one for the student's kernels. Grading passes 1 as `times`; a test of whether measurements are
// repeatable passes a larger number. Stops after the first measurement that does not end with MEASURE_DONE. Of the up
// to `times` measurements, only the first changes inputs and compares outputs with expected values.
void kernels_measure(const struct judge_job *, const struct text *student, const struct text *baseline,
                     struct measurement out[], uint32_t times);

#endif
