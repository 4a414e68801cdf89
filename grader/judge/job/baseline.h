// The lab's baseline and given kernel, built or taken from the cache. They are part of the kit, so a failed build ends
// the program.
#ifndef JUDGE_JOB_BASELINE_H
#define JUDGE_JOB_BASELINE_H

#include "compile/program.h"
#include "judge/job/job.h"

// Adds an image of the job's baseline, made by that compiler, to `image`, which is empty.
void judge_baseline_image(const struct judge_job *, const struct compiler *, enum compile_image, struct text *image);

// Adds the PTX of the kernel that a host lab gives to `image`, which is empty.
void judge_baseline_kernel(const struct judge_job *, struct text *image);

// The baseline of a host lab as a program.
struct judge_baseline {
    char path[4096];     // of the program
    struct program made; // if it could not be kept
};
void judge_baseline_program(const struct judge_job *, struct judge_baseline *);
void judge_baseline_free(struct judge_baseline *);

#endif
