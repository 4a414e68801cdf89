// Plans which blocks of a launch are run, in which order, and how many blocks of the grid each sample of blocks
// represents.
#ifndef SIM_MACHINE_SAMPLING_PLAN_H
#define SIM_MACHINE_SAMPLING_PLAN_H

#include <stdint.h>

#include "sim/core/launch.h"
#include "sim/timing/merging.h"
#include "sim/timing/stratum.h"

// Describes the sampled blocks of one stratum, a part of the grid whose blocks have equal counters.
struct stratum_sample {
    uint64_t first, run; // the sampled blocks are at the `run` positions of sampling_plan.order from `first` on
    uint64_t blocks;     // number of blocks of the grid that the sample represents
    int to_l2;           // 1: the L2 simulates the sampled blocks
};

// Holds the result of a probe, a run of only some blocks of the launch.
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

// Gives the number of consecutive blocks that form one group of a sample. A grid with at most SAMPLING_LEAST blocks
// runs whole.
enum { SAMPLING_LEAST = 8 };

// Plans to run all blocks of the launch. A schedule seed other than 0 determines a random order of the blocks.
void sampling_plan_all(struct sampling_plan *);
// Reduces a sampling plan from sampling_plan_all(), which runs all blocks, to a sample of about
// launch->request->sample_inst warp instructions. The sampling plan stays unchanged if the sample would include all
// blocks. If the launch simulates an L2, the function also measures how much of their data the blocks have in common,
// and stores the result in `merging`. The caller must have taken a snapshot of memory; sampling_plan_sample() restores
// the snapshot.
void sampling_plan_sample(struct sampling_plan *, struct merging *);
// Frees the order of blocks in the sampling plan.
void sampling_plan_free(struct sampling_plan *);

#endif
