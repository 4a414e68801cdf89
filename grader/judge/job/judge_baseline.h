// Provides the compiled baseline of a lab (its own slow kernels or program), and the compiled kernel that a host lab
// supplies. The baseline and the supplied kernel are part of the grader, so the grader ends with die() if one of them
// does not compile.
#ifndef JUDGE_JOB_JUDGE_BASELINE_H
#define JUDGE_JOB_JUDGE_BASELINE_H

#include "compile/program.h"
#include "judge/job/job.h"

// Compiles the job's baseline with `compiler` and stores the image in `image`, which must be empty. May read the
// baseline's image from the cache instead of compiling the baseline. Calls die() if the baseline cannot be read or does
// not compile.
void judge_baseline_image(const struct judge_job *, const struct compiler *, enum compile_image, struct text *image);

// Compiles the kernel that a host lab supplies and stores its PTX in `image`, which must be empty. May read the
// kernel's PTX from the cache instead of compiling the kernel.
void judge_baseline_kernel(const struct judge_job *, struct text *image);

// Describes the executable program of a host lab's baseline. Fill a struct judge_baseline with judge_baseline_program()
// and free it with judge_baseline_free().
struct judge_baseline {
    char path[4096];     // path of the executable file
    struct program made; // the compiled program, if the program could not be stored in the cache
};
// Compiles the baseline of a host lab or finds the compiled program in the cache, and stores the program's path. Calls
// die() if the baseline cannot be read or does not build.
void judge_baseline_program(const struct judge_job *, struct judge_baseline *);
// Removes the temporary folder of the baseline's compiled program, but not the copy of the compiled program in the
// cache.
void judge_baseline_free(struct judge_baseline *);

#endif
