// Grading of labs whose submission is kernels.
#ifndef JUDGE_KERNEL_KERNEL_H
#define JUDGE_KERNEL_KERNEL_H

#include "judge/verdict/grading.h"

// Compiles the submission, runs its cases, and fills the verdict up to score and next.
void kernel_grade(struct grading *);
// Returns how many steps of progress kernel_grade() reports at most; `coverage` as in the job.
int kernel_steps(const struct lab *, int coverage);
// Judges correctness and safety of one image as kernel_grade() does, but on this thread alone and only up to the first
// case with something against it. Returns 1 if nothing is against it; or 0 with the first reason of the verdict.
int kernel_sound(const struct judge_job *, enum compile_image, const struct text *image, struct verdict_reason *);

#endif
