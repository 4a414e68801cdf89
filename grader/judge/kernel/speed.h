// Runs the lab's speed case, the test case whose time is measured, with one image (compiled kernels) on the simulator,
// and stores the results.
#ifndef JUDGE_KERNEL_SPEED_H
#define JUDGE_KERNEL_SPEED_H

#include "judge/job/job.h"

struct kernel_speed {
    struct arena arena; // memory of `plan`
    struct lab_plan plan;
    int engine[LAB_BUFFERS]; // the engine's index of each of the plan's buffers
    // observation of the last launch of each kernel; all zero if the kernel was not launched; owned
    struct observation *last[LAB_KERNELS];
    uint64_t kernel_ps[LAB_KERNELS];         // time of all launches of each kernel, in picoseconds
    struct counters sum;                     // counters of all launches, added
    struct counters kernel_sum[LAB_KERNELS]; // counters of all launches of each kernel, added
    uint64_t time_ps;                        // time of all launches, in picoseconds
    uint64_t unseen_ps;                      // part of time_ps on which the time model has no record
    double used[LAB_USES];                   // as in struct lab_evidence
    int sampled;                             // 1: only some blocks of a launch were run, and its counters were scaled
    struct kernel_sample {
        int sampled, exact; // 1: only some blocks were run; 1: scaling to the grid is exact (observation.exact)
        uint64_t written;   // words that the blocks wrote, scaled to the grid
    } sample[LAB_STEPS];    // by the index of the launch in the plan
    char problem[OBSERVATION_MESSAGE]; // why the speed is not valid; empty: the speed is valid
};
// Frees the memory that the struct kernel_speed owns, and clears the struct.
void kernel_speed_free(struct kernel_speed *);
// Returns 1 if a counter in `whole`, from a run of all blocks, exceeds the predicted value in `expected` beyond a
// tolerance. Returns 0 if no counter exceeds its predicted value beyond a tolerance.
int kernel_speed_exceeds(const struct counters *whole, const struct counters *expected);

#endif
