// Images of baselines, kept between runs: they change only with their source and the compiler.
#ifndef JUDGE_CACHE_H
#define JUDGE_CACHE_H

#include "judge/judge.h"

// An image of the job's baseline, by that compiler. Dies when it does not compile: it is ours.
void judge_baseline_image(const struct judge_job *, const struct compiler *, enum compile_image, struct text *image);

#endif
