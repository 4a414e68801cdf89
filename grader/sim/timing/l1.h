// Models the L1 cache, one cache for each block, and logs the sectors that go on to the L2 (l2.h).
//
// The L1 and the L2 are simulated if the launch's time must be estimated (request->cold). If the caches are not
// simulated, block->l1 is NULL, and the counters of L1 hits, L2 and DRAM stay 0. A block's L1 starts empty, and its
// capacity is the multiprocessor's L1 divided by the number of resident blocks. Because each block has an L1 of its
// own, a block's L1 hits do not depend on other blocks.
#ifndef SIM_TIMING_L1_H
#define SIM_TIMING_L1_H

#include <stdint.h>

#include "device/coalesce.h"
#include "sim/core/access.h"
#include "sim/core/launch.h"

// Returns an L1 for blocks that run one after the other, or NULL if the launch simulates no caches. The caller frees
// the L1 with l1_free().
struct l1 *l1_new(const struct sim_launch *);
void l1_free(struct l1 *);
// Limits the host memory of the queued requests to about `bytes`: the L1 looks up the requests when they take more, as
// at a barrier. `l1` may be NULL.
void l1_limit(struct l1 *l1, uint64_t bytes);
// Queues a warp's request to global memory. The caller passes the requests of a warp in program order. The footprint
// holds the lines that the request touches, and the words of each line. For an atomic, `operations` holds the number of
// operations on each line (coalesce_atomic). For a load or a store, `operations` is NULL.
void l1_request(struct l1 *, const struct sim_warp *, const struct sim_access *, const struct footprint *,
                const uint16_t *operations);
// Looks up the requests that the block's warps have made so far, and appends the missed and the stored sectors to the
// log block->sectors. The caller calls l1_settle() when the block passes a barrier or ends.
void l1_settle(struct l1 *, struct sim_block *);
// Empties the L1 at the start of a block.
void l1_begin(struct l1 *);

void l1_log_free(struct sector_log *);

#endif
