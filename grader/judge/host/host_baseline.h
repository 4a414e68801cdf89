// Simulates the speed of a host lab's baseline, the lab's own slow program.
#ifndef JUDGE_HOST_HOST_BASELINE_H
#define JUDGE_HOST_HOST_BASELINE_H

#include "judge/job/record.h"

// Compiles the baseline of a host lab, runs its speed case on simulated devices of its own, and stores in the record
// the time of the timed part, and the times and counters of the kernel that the lab supplies. `image` contains the PTX
// of this kernel. Calls die() if the baseline cannot be run, because the baseline is part of the grader.
void host_baseline_run(const struct judge_job *, const struct text *image, struct judge_record *);
// Returns the kernel with the given name in the trace of a program's run. Returns a kernel whose fields are zero if the
// program did not launch the kernel.
struct host_trace_kernel;
struct host_trace;
const struct host_trace_kernel *host_baseline_kernel(const struct host_trace *, const char *name);

#endif
