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

// Holds the result of a probe, a run of one block of the launch, without the checks of the simulator.
struct probe {
    uint64_t executed;      // warp instructions
    struct counters sum;    // counters of the block
    struct sector_log *log; // receives the block's L2 requests; NULL: the block runs without caches
};
// Counts what the L2 does for the requests of one or two blocks that find it empty.
struct probe_traffic {
    uint64_t fetched; // sectors that DRAM delivered for loads; atomics are not included
    uint64_t partial; // sectors of which the blocks stored only a part
};

// Keeps what the plan of a launch cost to find out, for later launches of the same kernel with the same shape and
// arguments. The caller sets it to zeros before the first launch, and may keep it as long as the program lives.
struct sampling_memo {
    const struct sim_program *program; // NULL: empty
    uint32_t grid[3], block[3], shared;
    uint64_t params; // hash of the kernel's parameters
    uint64_t cost;   // warp instructions of a block: the mean of the grid's first block and the one in its middle
    struct strata strata;
};

struct sampling_plan {
    // The caller sets the fields up to `data`.
    const struct sim_launch *launch;
    struct sampling_memo *memo; // NULL: nothing is kept
    int caches;                 // 1: the launch simulates caches
    // Runs one block alone. Does not restore memory afterwards. Returns 0, or -1 if a finding ended the run.
    int (*run)(void *data, uint64_t block, struct probe *);
    // Passes the L2 requests of `count` blocks, one block after the other, to an empty L2. The logs keep their
    // requests.
    struct probe_traffic (*traffic)(void *data, struct sector_log *const log[], uint32_t count);
    // Begins each block of the grid and stops it after about `fuel` warp instructions. Sets ended[b] to 1 for each
    // block b that had ended by then. Does not restore memory afterwards.
    void (*begin)(void *data, uint64_t fuel, uint8_t *ended);
    void *data; // the first argument of run(), traffic() and begin()

    uint32_t *order;                              // [position]: block index; NULL: both are equal. Owned by the plan.
    struct stratum_sample share[STRATA_MOST + 1]; // the last: blocks that end early
    uint32_t shares;
    int exact; // 1: counters of the sample, scaled by strata, are those of all blocks if the strata's blocks are equal
};

// Gives the number of consecutive blocks that form one group of a sample, if the sample has so many blocks. A grid with
// at most SAMPLING_LEAST blocks runs whole.
enum { SAMPLING_LEAST = 8 };

// Plans to run all blocks of the launch. A schedule seed other than 0 determines a random order of the blocks.
void sampling_plan_all(struct sampling_plan *);
// Reduces a sampling plan from sampling_plan_all(), which runs all blocks, to a sample of about
// launch->request->sample_inst warp instructions, but at least SAMPLING_LEAST blocks if the launch simulates caches,
// and otherwise at least one. The sampling plan stays unchanged if the sample would include all blocks. If the launch
// simulates an L2, the function also measures how much of their data the blocks have in common, and stores the result
// in `merging`. The caller must have taken a snapshot of memory; sampling_plan_sample() restores the snapshot.
void sampling_plan_sample(struct sampling_plan *, struct merging *);
// Frees the order of blocks in the sampling plan.
void sampling_plan_free(struct sampling_plan *);

#endif
