// Reads the attributes of a submission's kernels from the compiled image, for pictures and tables. A verdict does not
// depend on the kernels' attributes.
#ifndef JUDGE_KERNEL_ATTRIBUTES_H
#define JUDGE_KERNEL_ATTRIBUTES_H

#include "judge/job/job.h"

struct kernel_attributes {
    const char *name;
    uint32_t threads;   // threads of a block
    uint32_t registers; // registers of a thread
    uint32_t shared;    // shared memory of a block in bytes, static plus dynamic
};
// Compiles the job's submission and reads the attributes of its kernels. Returns the number of kernels, or -1 if the
// submission does not compile or its image cannot be judged. If the result is -1, `why` contains the compiler's errors,
// or a sentence.
int kernel_attributes(const struct judge_job *, struct kernel_attributes attributes[LAB_KERNELS], struct text *why);

#endif
