// Models the L2 cache, one cache for each launch. One thread passes the sector logs of the blocks to the cache, in
// block order.
#ifndef SIM_TIMING_L2_H
#define SIM_TIMING_L2_H

#include "engine/observation.h"
#include "sim/core/launch.h"

// Returns an empty L2, or NULL if the launch simulates no caches (l1.h). The caller frees the L2 with l2_free().
struct l2 *l2_new(const struct sim_launch *);
void l2_free(struct l2 *);
// The sources of the sectors that missed the L1 in the loads of an op.
struct l2_loads {
    uint64_t dram;    // number of sectors that came from DRAM
    uint64_t pending; // number of sectors for which the L2 was already waiting
    uint64_t fetched; // number of sectors that DRAM sent because of the op's loads
};
// Processes a finished block's log and empties the log. Adds l2_* and dram_* to the launch's counters, and adds to
// op[…] how many loads the L2 and DRAM served. One thread must pass the blocks in their linear order.
void l2_commit(struct l2 *, uint64_t block, struct sector_log *, struct counters *, struct l2_loads *op);
// Tells the L2 that the blocks are a sample of a launch whose buffers have `bytes` bytes together. The caller calls
// l2_sample() before the first block. `joined` is the permille of the partly stored sectors whose other words are
// stored by blocks outside the sample.
void l2_sample(struct l2 *, uint64_t bytes, uint32_t joined);
// The number of dirty sectors that were stored in part, the number of their lines, and the number of missing words.
struct l2_partial {
    uint64_t sectors, lines, words;
};
struct l2_partial l2_partial(const struct l2 *);
// Adds the number of operations on the busiest chunk of the atomics, which is known only at the launch's end. Dirty
// lines stay in the L2.
void l2_end(const struct l2 *, struct counters *);

// Scales the L2's counters of a launch of which `run` of `blocks` blocks were executed. Counts grow with the number of
// blocks, but shared data are fetched once. `bytes` is the size of the buffers that were read. If the buffers that were
// read and the written data fit into the L2, DRAM reads stay at most `bytes`. The data that may stay dirty are
// subtracted once.
void l2_scale(const struct l2 *, struct counters *, uint64_t blocks, uint64_t run, uint64_t bytes);

#endif
