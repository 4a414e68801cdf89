// Models the L2 cache during a launch. The lines that a launch leaves in the L2 may stay there for the next launch
// (l2_lines.h). For each block, the L1 model keeps a list (sector log) of the 32-byte sectors that go from the L1 to
// the L2. One thread passes the sector logs (lists of sectors that go to the L2) of all blocks to the L2 model, in
// block order.
#ifndef SIM_TIMING_L2_H
#define SIM_TIMING_L2_H

#include "engine/observation.h"
#include "sim/core/launch.h"

struct l2_lines; // l2_lines.h: what the L2 holds

// Begins the L2 model of a launch, which finds the given lines (struct l2_lines) in the L2. Returns the launch's struct
// l2, or NULL if the launch simulates no caches (l1.h). The caller frees the struct l2 with l2_free(), but keeps the
// struct l2_lines for later launches. If the launch is not ended with l2_end(), the next call of l2_new() undoes the
// launch's changes of the lines.
struct l2 *l2_new(const struct sim_launch *, struct l2_lines *);
void l2_free(struct l2 *);
// Counts the sectors that missed the L1 in an op's loads, by where the L2 model found them.
struct l2_loads {
    uint64_t dram;    // number of sectors that came from DRAM
    uint64_t pending; // number of sectors for which the L2 was already waiting
    uint64_t fetched; // number of sectors that DRAM sent because of the op's loads
};
// Simulates the L2 accesses in a finished block's sector log (list of sectors that go from the L1 to the L2), and
// empties the log. Adds the L2 and DRAM traffic to the launch's counters l2_* and dram_*, and counts in op[…] where the
// L2 model found the sectors that each op loaded. One thread must call l2_commit() for the launch's blocks in the order
// of their linear indices.
void l2_commit(struct l2 *, uint64_t block, struct sector_log *, struct counters *, struct l2_loads *op);
// Tells the L2 model that only a sample of the launch's blocks will run, and that the launch's buffers have `bytes`
// bytes in total. The caller calls l2_sample() before the first block. If a sampled block stores only a part of a
// sector, a block outside the sample may store the rest. Of 1000 partly stored sectors, blocks outside the sample
// complete `joined` sectors.
void l2_sample(struct l2 *, uint64_t bytes, uint32_t joined);
// Counts the dirty sectors in the L2 that were stored only in part, the lines of these sectors, and the words that
// these sectors lack.
struct l2_partial {
    uint64_t sectors, lines, words;
};
struct l2_partial l2_partial(const struct l2 *);
// Adds the number of atomic operations on the busiest 512-byte chunk to the counters at the launch's end. The dirty
// lines stay in the L2 at the launch's end.
void l2_end(struct l2 *, struct counters *);

// Scales the L2's counters from the `run` blocks that were executed to all `blocks` blocks of the launch. The counters
// of L2 and DRAM traffic are multiplied by `blocks` / `run`, but data that blocks share are fetched from DRAM only
// once. `bytes` is the size of the buffers that the launch read. If the buffers that the launch read and the data that
// it wrote fit into the L2 together, l2_scale() limits the launch's DRAM reads to `bytes`. The data that may stay dirty
// in the L2 are subtracted once from the DRAM writes of the whole launch.
void l2_scale(const struct l2 *, struct counters *, uint64_t blocks, uint64_t run, uint64_t bytes);

#endif
