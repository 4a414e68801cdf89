// The L2 of the model: one for a launch, fed with the blocks' sector logs in block order by one thread.
#ifndef SIM_TIMING_L2_H
#define SIM_TIMING_L2_H

#include "engine/observation.h"
#include "sim/core/launch.h"

// Empty, as after a flush. NULL when the launch has no caches (see cache.h). Owned by the caller.
struct l2 *l2_new(const struct sim_launch *);
void l2_free(struct l2 *);
// Who answered an op's loads that missed the L1.
struct l2_loads {
    uint64_t dram;    // sectors: DRAM
    uint64_t pending; // sectors: the L2, which had just asked DRAM for them
    uint64_t fetched; // sectors that DRAM sent on their account
};
// Takes a finished block's log and empties it; l2_* and dram_* are added to the launch's counters, and answers to
// op[…]. Blocks come in their linear order, from one thread.
void l2_commit(struct l2 *, uint64_t block, struct sector_log *, struct counters *, struct l2_loads *op);
// Blocks that come are a sample of the launch's, whose buffers have so many bytes, and of the sectors that they leave
// stored in part others store the rest soon, for so many permille. Before the first one.
void l2_sample(struct l2 *, uint64_t bytes, uint32_t joined);
// Sectors that are stored in part, their lines, and the words that they lack.
struct l2_partial {
    uint64_t sectors, lines, words;
};
struct l2_partial l2_partial(const struct l2 *);
// The launch has ended: counts what only the end knows (the busiest place of the atomics). Dirty lines stay.
void l2_end(const struct l2 *, struct counters *);

// Scales the L2's counters of a launch of which `run` of its blocks were executed. Counts grow with the blocks, but
// data that all blocks share are fetched once: DRAM reads stay below `bytes`, the size of the buffers that were read,
// where these and what is written fit into the L2; and what may stay dirty stays once.
void l2_scale(const struct l2 *, struct counters *, uint64_t blocks, uint64_t run, uint64_t bytes);

#endif
