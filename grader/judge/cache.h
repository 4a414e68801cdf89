// Images of baselines and what else is ours, kept between runs: they change only with their source and the compiler;
// and what a baseline's speed case showed, which changes with these, the device, the seed, and the kit's own programs.
#ifndef JUDGE_CACHE_H
#define JUDGE_CACHE_H

#include "compile/program.h"
#include "judge/judge.h"
#include "judge/trial.h"

// An image of the job's baseline, by that compiler. Dies when it does not compile: it is ours.
void judge_baseline_image(const struct judge_job *, const struct compiler *, enum compile_image, struct text *image);

// The baseline's speed case, by its image. 1 with all but arena, plan and engine's indices; or 0: it is not kept.
int judge_kept_speed(const struct judge_job *, const struct text *image, struct speed_run *);
void judge_keep_speed(const struct judge_job *, const struct text *image, const struct speed_run *);

// Host labs: the PTX of the kernel that the lab gives, and the baseline as a program. Both die as above.
void judge_given_image(const struct judge_job *, struct text *image);
struct judge_program {
    char path[4096];     // of the program
    struct program made; // where it could not be kept
};
void judge_baseline_program(const struct judge_job *, struct judge_program *);
void judge_program_free(struct judge_program *);

#endif
