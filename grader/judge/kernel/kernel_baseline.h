// Simulates the speed of a lab's baseline, the lab's own slow kernels.
#ifndef JUDGE_KERNEL_KERNEL_BASELINE_H
#define JUDGE_KERNEL_KERNEL_BASELINE_H

#include "judge/job/record.h"

// Compiles the baseline of a kernel lab, runs its speed case in a runner process of its own, and stores its time and
// counters in the record. Calls die() if the baseline cannot be run, because the baseline is part of the grader.
void kernel_baseline_run(const struct judge_job *, struct judge_record *);

#endif
