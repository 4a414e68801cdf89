// Images of baselines, kept between runs: they change only with their source and the compiler.
#ifndef JUDGE_CACHE_H
#define JUDGE_CACHE_H

#include "judge/judge.h"

// The optimised image of the job's baseline. Dies when it does not compile: it is ours.
void judge_baseline_image(const struct judge_job *, struct text *image);

#endif
