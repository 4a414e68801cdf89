// Records blocks of a submission's kernels step by step (engine/recording.h), in one of the lab's visible test cases.
#ifndef JUDGE_KERNEL_KERNEL_STEP_H
#define JUDGE_KERNEL_KERNEL_STEP_H

#include "judge/verdict/step.h"

// Says what is recorded. Zeros leave the choice to kernel_step().
struct kernel_step_request {
    uint32_t number;    // number of the visible test case, from 1; 0: the smallest in which the first finding shows
    const char *kernel; // NULL: that of the finding, or the lab's first
    int has_block;      // 1: `block` is given
    uint64_t block;     // index in the grid, x fastest; else that of the finding, or 0
};
// Compiles the submission and records it. Returns 0; the caller frees *out with verdict_step_free(). If nothing can be
// recorded, returns -1 and stores the compiler's errors, or a sentence, in `why`.
int kernel_step(const struct judge_job *, const struct kernel_step_request *, struct verdict_step *out,
                struct text *why);
// Does the same with the submission's unoptimised image, which was compiled before.
int kernel_step_image(const struct judge_job *, const struct text *image, const struct kernel_step_request *,
                      struct verdict_step *out, struct text *why);

#endif
