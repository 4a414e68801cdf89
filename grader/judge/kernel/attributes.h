// Attributes of a lab's kernels as the image states them, for pictures and tables, not for a verdict.
#ifndef JUDGE_KERNEL_ATTRIBUTES_H
#define JUDGE_KERNEL_ATTRIBUTES_H

#include "judge/job/job.h"

struct kernel_attributes {
    const char *name;
    uint32_t threads;   // of a block
    uint32_t registers; // of a thread
    uint32_t shared;    // bytes of a block, static and dynamic
};
// Compiles the job's source and reads the attributes of its kernels. Returns the number of kernels; or -1 with what is
// wrong with the source in `why` (the compiler's words, or a sentence).
int kernel_attributes(const struct judge_job *, struct kernel_attributes attributes[LAB_KERNELS], struct text *why);

#endif
