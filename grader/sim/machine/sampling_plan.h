// Plans which blocks of a launch are run, in which order, and how many blocks of the grid the run blocks represent.
#ifndef SIM_MACHINE_SAMPLING_PLAN_H
#define SIM_MACHINE_SAMPLING_PLAN_H

#include <stdint.h>

#include "sim/core/launch.h"
#include "sim/timing/merging.h"
#include "sim/timing/stratum.h"

// The sample of one stratum of the grid.
struct stratum_sample {
    uint64_t first, run; // the sampled blocks are at the `run` positions of sampling_plan.order from `first` on
    uint64_t blocks;     // number of blocks of the grid that the sample represents
    int to_l2;           // 1: the L2 simulates the sampled blocks
};

// The result of a probe, which runs some blocks of the launch alone.
struct probe_result {
    const struct counters *op; // [nops]: counters of the probed blocks
    uint64_t blocks, executed; // number of blocks; warp instructions
    uint64_t fetched;          // sectors that DRAM delivered for loads; atomics are not included
    uint64_t partial;          // sectors of which the blocks stored only a part
    int l2;                    // 1: the launch simulates an L2
    int stopped;               // 1: a finding ended the probe
};

struct sampling_plan {
    // The caller sets launch, run and data.
    const struct sim_launch *launch;
    // Runs `count` blocks alone; block NULL: the first `count` blocks of the grid. Does not restore memory afterwards.
    // Returns 0, or -1 if the run must be repeated from the same memory (sim_memory_retry()).
    int (*run)(void *data, const uint32_t *block, uint32_t count, struct probe_result *);
    void *data; // the first argument of run()

    uint32_t *order; // [position]: block index; NULL: both are equal. Owned by the plan.
    struct stratum_sample share[STRATA_MOST];
    uint32_t shares;
};

// Number of blocks in a group of consecutive blocks of a sample. A grid with at most this number of blocks runs whole.
enum { SAMPLING_LEAST = 8 };

// Plans to run all blocks of the launch. A schedule seed other than 0 draws the order of the blocks.
void sampling_plan_all(struct sampling_plan *);
// Reduces a plan from sampling_plan_all() to a sample of about launch->request->sample_inst warp instructions. The plan
// stays unchanged if the sample would include all blocks. If the launch simulates an L2, also measures in `merging` how
// much data blocks share. The caller must have taken a snapshot of memory; this function restores the snapshot.
void sampling_plan_sample(struct sampling_plan *, struct merging *);
// Frees the plan's order.
void sampling_plan_free(struct sampling_plan *);

#endif
