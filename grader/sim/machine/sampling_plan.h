// Which blocks of a launch are run, in which order, and how many of the grid's they stand for. See sampling_plan.c.
#ifndef SIM_MACHINE_SAMPLING_PLAN_H
#define SIM_MACHINE_SAMPLING_PLAN_H

#include <stdint.h>

#include "sim/core/launch.h"
#include "sim/timing/merging.h"
#include "sim/timing/stratum.h"

// Blocks that are run one after the other, and how many of the grid's they stand for.
struct stratum_sample {
    uint64_t first, run; // positions in the order
    uint64_t blocks;     // of the grid
    int to_l2;           // 1: the L2 sees them
};

// What some blocks did that were run by themselves.
struct probe_result {
    const struct counters *op; // [nops]: of the launch's program
    uint64_t blocks, executed; // warp instructions
    uint64_t fetched;          // sectors that DRAM sent for loads; counters that all add to are no loads
    uint64_t partial;          // sectors that they left stored in part
    int l2;                    // 0: the launch has none
    int stopped;               // 1: a finding ended them
};

struct sampling_plan {
    // The caller's.
    const struct sim_launch *launch;
    // Runs `count` blocks alone; block NULL: the grid's first ones. 0; or -1: what they do to memory is not known well
    // enough yet. Memory is left as they leave it.
    int (*run)(void *data, const uint32_t *block, uint32_t count, struct probe_result *);
    void *data;

    uint32_t *order; // positions → blocks; NULL: the same. Owned.
    struct stratum_sample share[STRATA_MOST];
    uint32_t shares;
};

enum { SAMPLING_LEAST = 8 }; // neighbouring blocks of a sample; a grid of no more is run whole

// All blocks, in the order that the launch's schedule seed draws.
void sampling_plan_all(struct sampling_plan *);
// After sampling_plan_all: some of them, where the launch's request asks for a sample and one is enough; and what
// blocks have in common, where the launch has an L2. Memory, of which there must be a snapshot, is left as it was.
void sampling_plan_sample(struct sampling_plan *, struct merging *);
void sampling_plan_free(struct sampling_plan *);

#endif
