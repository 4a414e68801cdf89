// Provides the lab's baseline and the given kernel of a host lab, compiled or read from the cache. Baseline and given
// kernel are part of the kit, so the grader ends with die() if one of them does not compile.
#ifndef JUDGE_JOB_BASELINE_H
#define JUDGE_JOB_BASELINE_H

#include "compile/program.h"
#include "judge/job/job.h"

// Compiles the job's baseline with `compiler` and stores the image in `image`, which must be empty. The image may come
// from the cache. Calls die() if the baseline cannot be read or does not compile.
void judge_baseline_image(const struct judge_job *, const struct compiler *, enum compile_image, struct text *image);

// Compiles the kernel that a host lab gives to students and stores the PTX in `image`, which must be empty. The PTX may
// come from the cache.
void judge_baseline_kernel(const struct judge_job *, struct text *image);

// Describes the baseline of a host lab as an executable program. Fill the struct with judge_baseline_program() and free
// the struct with judge_baseline_free().
struct judge_baseline {
    char path[4096];     // path of the executable file
    struct program made; // the compiled program, if the program could not be stored in the cache
};
// Compiles the baseline of a host lab or finds the program in the cache, and stores the program's path. Calls die() if
// the baseline cannot be read or does not build.
void judge_baseline_program(const struct judge_job *, struct judge_baseline *);
// Removes the folder of the compiled program. A copy of the program in the cache stays.
void judge_baseline_free(struct judge_baseline *);

#endif
