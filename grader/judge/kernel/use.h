// Measures how much of a submission's results depends on the operations that the lab's technique asks for.
#ifndef JUDGE_KERNEL_USE_H
#define JUDGE_KERNEL_USE_H

#include "judge/kernel/kernel_run.h"

// Stores in run->speed.used, for each entry of lab->use, the fraction of results in the speed case that depend on the
// entry's operations. If the fraction for an entry is not known, stores 1. The caller must have called
// kernel_run_speed() on the same image before. Changes the contents of the speed case's buffers.
void kernel_use_measure(struct kernel_run *);

#endif
