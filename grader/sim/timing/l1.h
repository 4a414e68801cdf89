// Models the L1 cache, one for each block, and logs the sectors that go on to the L2 (l2.h).
//
// Caches are simulated if the launch asks for time (request->cold). Otherwise block->l1 is NULL, and the counters of L1
// hits, L2 and DRAM stay 0. A block's L1 starts empty and has the capacity of one resident block's share, so its hits
// depend on the block alone.
#ifndef SIM_TIMING_L1_H
#define SIM_TIMING_L1_H

#include <stdint.h>

#include "device/coalesce.h"
#include "sim/core/access.h"
#include "sim/core/launch.h"

// Returns an L1 for blocks that run one after the other, or NULL if the launch simulates no caches. The caller frees
// it.
struct l1 *l1_new(const struct sim_launch *);
void l1_free(struct l1 *);
// Adds a warp's request for global memory, in program order of the warp: its lines and the words of each. For an
// atomic, `operations` holds the operations on each line (coalesce_atomic); otherwise it is NULL.
void l1_request(struct l1 *, const struct sim_warp *, const struct sim_access *, const struct footprint *,
                const uint16_t *operations);
// Looks up the requests that the block's warps have made so far, and adds the misses and stores to block->sectors. The
// caller calls it when the block passes a barrier or ends.
void l1_settle(struct l1 *, struct sim_block *);
// Empties the cache at the start of a block.
void l1_begin(struct l1 *);

void l1_log_free(struct sector_log *);

#endif
