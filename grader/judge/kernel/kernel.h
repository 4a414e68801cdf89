// Grades submissions of labs in which students write kernels.
#ifndef JUDGE_KERNEL_KERNEL_H
#define JUDGE_KERNEL_KERNEL_H

#include "judge/verdict/grading.h"

// Compiles the submission, runs its test cases, and fills the verdict except for the score and the advice
// (verdict->next).
void kernel_grade(struct grading *);
// Returns an upper bound on how many steps of progress kernel_grade() reports. `coverage` has the same meaning as the
// field `coverage` of struct judge_job.
int kernel_steps(const struct lab *, int coverage);
// Judges the correctness and safety of one compiled image as kernel_grade() does. The function kernel_sound() runs on
// the calling thread alone and stops after the first test case with a wrong output or a defect. Returns 1 if the image
// can be launched and no test case fails. If a test case fails, returns 0 and stores the verdict's first reason in the
// last argument.
int kernel_sound(const struct judge_job *, enum compile_image, const struct text *image, struct verdict_reason *);

// Contains what the test cases of one image showed.
struct kernel_tried {
    uint64_t right;                // bit i: the outputs of the verdict's test case i are right
    uint32_t grid[LAB_KERNELS][3]; // most blocks with which each of the lab's kernels was launched, on each axis
};
// Runs test cases of one compiled image, and adds their findings to the list `findings`. Bit i of `cases` selects the
// verdict's test case i. Adds the results to the last argument. Returns 0, or -1 if the image cannot be launched.
int kernel_try(const struct judge_job *, enum compile_image, const struct text *image, uint64_t cases,
               struct verdict_findings *, struct kernel_tried *);

#endif
