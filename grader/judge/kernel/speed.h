// The speed case of one image on the simulator.
#ifndef JUDGE_KERNEL_SPEED_H
#define JUDGE_KERNEL_SPEED_H

#include "judge/job/job.h"

struct kernel_speed {
    struct arena arena; // the plan's
    struct lab_plan plan;
    int engine[LAB_BUFFERS];               // the engine's indices of the plan's buffers
    struct observation *last[LAB_KERNELS]; // last launch of each kernel, zeroed where there was none; owned
    uint64_t kernel_ps[LAB_KERNELS];       // all launches of each kernel
    struct counters sum;                   // of all launches
    uint64_t time_ps;                      // of all launches
    int sampled;                           // 1: only some blocks were run, and counters scaled
    char problem[OBSERVATION_MESSAGE];     // why the case did not run to its end; empty: it did
};
void kernel_speed_free(struct kernel_speed *);
// Returns 1 if the whole case did more of anything than the sample had led to expect.
int kernel_speed_exceeds(const struct counters *whole, const struct counters *expected);

// The baseline's speed case as kept by an earlier grading with the same image. Returns 1 with all but arena, plan and
// engine; or 0: it is not kept.
int kernel_speed_load(struct kernel_speed *, const struct judge_job *, const struct text *image);
void kernel_speed_save(const struct kernel_speed *, const struct judge_job *, const struct text *image);

#endif
