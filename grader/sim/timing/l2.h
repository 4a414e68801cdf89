// Models the L2 cache, one for a launch. One thread feeds it the blocks' sector logs in block order.
#ifndef SIM_TIMING_L2_H
#define SIM_TIMING_L2_H

#include "engine/observation.h"
#include "sim/core/launch.h"

// Returns an empty L2, or NULL if the launch simulates no caches (l1.h). The caller frees it.
struct l2 *l2_new(const struct sim_launch *);
void l2_free(struct l2 *);
// Who supplied the sectors that an op's loads did not find in the L1.
struct l2_loads {
    uint64_t dram;    // sectors that came from DRAM
    uint64_t pending; // sectors for which the L2 was already waiting
    uint64_t fetched; // sectors that DRAM sent because of these loads
};
// Processes a finished block's log and empties it. Adds l2_* and dram_* to the launch's counters, and the sources of
// loads to op[…]. Blocks come in their linear order, from one thread.
void l2_commit(struct l2 *, uint64_t block, struct sector_log *, struct counters *, struct l2_loads *op);
// Tells the L2, before the first block, that blocks are a sample of a launch whose buffers have `bytes` bytes together.
// `joined`: permille of the sectors stored in part whose other words blocks outside the sample store.
void l2_sample(struct l2 *, uint64_t bytes, uint32_t joined);
// Number of dirty sectors that were stored in part, of their lines, and of the words that they lack.
struct l2_partial {
    uint64_t sectors, lines, words;
};
struct l2_partial l2_partial(const struct l2 *);
// Adds what is known only at the end of the launch: the operations on the busiest place of the atomics. Dirty lines
// stay.
void l2_end(const struct l2 *, struct counters *);

// Scales the L2's counters of a launch of which `run` of `blocks` blocks were executed. Counts grow with the number of
// blocks, but shared data are fetched once: if `bytes`, the size of the buffers that were read, and the written data
// fit into the L2, DRAM reads stay at most `bytes`. The data that may stay dirty are subtracted once.
void l2_scale(const struct l2 *, struct counters *, uint64_t blocks, uint64_t run, uint64_t bytes);

#endif
