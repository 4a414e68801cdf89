// The L1 of the model, one for each block, and the log of what leaves it. The L2 behind it is in l2.h.
//
// Caches are simulated where a launch asks for time, that is, when request->cold is set; otherwise block->l1 is NULL,
// hits stay 0 and so do the counters of L2 and DRAM. A block's L1 starts empty and has the share of one resident
// block, so that its hits depend on nothing but the block itself.
#ifndef SIM_TIMING_L1_H
#define SIM_TIMING_L1_H

#include <stdint.h>

#include "device/coalesce.h"
#include "sim/core/launch.h"
#include "sim/core/memory.h"

// An L1 for the blocks of one place, or NULL when this launch has none. Owned by the caller.
struct l1 *l1_new(const struct sim_launch *);
void l1_free(struct l1 *);
// A warp's request for global memory: its lines and their words; of an atomic also the operations on each line
// (coalesce_atomic; NULL otherwise). Taken in program order of each warp.
void l1_request(struct l1 *, const struct sim_warp *, const struct sim_access *, const struct footprint *,
                const uint16_t *operations);
// The block passed a barrier or ended: what its warps have asked so far is looked up, and goes to block->sectors.
void l1_settle(struct l1 *, struct sim_block *);
// A block begins: the cache is empty.
void l1_begin(struct l1 *);

void l1_log_free(struct sector_log *);

#endif
