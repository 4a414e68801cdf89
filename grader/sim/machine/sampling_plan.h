// The plan for a sample of a launch: which blocks are run, in which order, and how many blocks of the grid they
// represent.
#ifndef SIM_MACHINE_SAMPLING_PLAN_H
#define SIM_MACHINE_SAMPLING_PLAN_H

#include <stdint.h>

#include "sim/core/launch.h"
#include "sim/timing/merging.h"
#include "sim/timing/stratum.h"

// The sample of one stratum of the grid.
struct stratum_sample {
    uint64_t first, run; // the sampled blocks: `run` positions in the order, from `first` on
    uint64_t blocks;     // of the grid that the sample represents
    int to_l2;           // 1: the L2 simulates the sampled blocks
};

// The result of running some blocks alone.
struct probe_result {
    const struct counters *op; // [nops]: of the launch's program
    uint64_t blocks, executed; // warp instructions
    uint64_t fetched;          // sectors that DRAM delivered for loads, without those of atomics
    uint64_t partial;          // sectors that the blocks stored in part
    int l2;                    // 1: the launch has an L2
    int stopped;               // 1: a finding ended the run
};

struct sampling_plan {
    // Set by the caller:
    const struct sim_launch *launch;
    // Runs `count` blocks alone; block NULL: the grid's first blocks. Memory stays as the blocks leave it. Returns 0,
    // or -1 if the run must be repeated from the same memory (sim_memory_retry).
    int (*run)(void *data, const uint32_t *block, uint32_t count, struct probe_result *);
    void *data;

    uint32_t *order; // [position]: block; NULL: both are equal. Owned by the plan.
    struct stratum_sample share[STRATA_MOST];
    uint32_t shares;
};

enum { SAMPLING_LEAST = 8 }; // neighbouring blocks in a run of a sample; smaller grids are run whole

// Plans to run all blocks, in the order that the launch's schedule seed draws.
void sampling_plan_all(struct sampling_plan *);
// Reduces a plan of sampling_plan_all to the sample that the request asks for, unless all blocks are needed. With an
// L2, also measures what blocks have in common. The caller has taken a snapshot of memory, which is restored.
void sampling_plan_sample(struct sampling_plan *, struct merging *);
void sampling_plan_free(struct sampling_plan *);

#endif
