// Making the profile of a submission's kernels, whether they are right or wrong.
#ifndef JUDGE_KERNEL_PROFILE_H
#define JUDGE_KERNEL_PROFILE_H

#include "judge/kernel/speed.h"
#include "judge/verdict/profile.h"

// Compiles the job's source, runs the speed case, right or wrong, and nothing else. Returns 0 with a profile to be
// freed; or -1 with what is wrong with the source in `why` (the compiler's words, or a sentence).
int kernel_profile(const struct judge_job *, struct profile *, struct text *why);
// Moves the observations of the speed case, which loses them, into a profile.
void kernel_profile_take(struct profile *, const struct lab *, const struct wire_device *, struct kernel_speed *);

#endif
