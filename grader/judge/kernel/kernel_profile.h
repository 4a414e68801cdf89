// Makes the profile (the counters and times) of a submission's kernels, whether the kernels' outputs are right or
// wrong.
#ifndef JUDGE_KERNEL_KERNEL_PROFILE_H
#define JUDGE_KERNEL_KERNEL_PROFILE_H

#include "judge/kernel/speed.h"
#include "judge/verdict/profile.h"

// Compiles the job's submission and runs only the lab's speed case, the test case whose time is measured. Does not
// check whether the kernels' outputs are right. Returns 0 with a profile, which the caller frees with profile_free().
// If no profile can be made, returns -1 and stores the compiler's errors, or a sentence, in `why`.
int kernel_profile(const struct judge_job *, struct profile *, struct text *why);
// Moves the observations of the speed case from the struct kernel_speed into a profile, which then owns the
// observations. The submission's text must outlive the profile.
void kernel_profile_take(struct profile *, const struct judge_job *, const struct wire_device *, struct kernel_speed *);

#endif
