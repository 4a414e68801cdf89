// Caches of the model: an L1 for each block, and the L2 behind them.
//
// They are simulated where a launch asks for time, that is, when request->cold is set; otherwise worker->l1 is NULL,
// hits stay 0 and the L2's counters too. A block's L1 starts empty and has the share of one resident block, so that
// hits depend on nothing but the block itself. What misses, and every store and atomic, goes to the block's
// sector log; the L2 reads the logs in block order.
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include <stdint.h>

#include "engine/observation.h"
#include "sim/launch.h"

// An L1 for a worker, or NULL when this launch has none. Owned by the caller.
struct sim_l1 *l1_new(const struct sim_launch *);
void l1_free(struct sim_l1 *);
// A block begins: the cache is empty.
void l1_begin(struct sim_l1 *);
// Sectors (bit s) of line (address / 128) are read: returns how many were found; the others are logged and kept.
uint32_t l1_load(struct sim_l1 *, struct sim_block *, uint64_t line, uint32_t sectors, uint32_t cache, uint32_t sem);
// Words (bit w) of the line are stored: written through.
void l1_store(struct sim_l1 *, struct sim_block *, uint64_t line, uint32_t words);
// Sectors are the target of an atomic, which happens in the L2.
void l1_atomic(struct sim_l1 *, struct sim_block *, uint64_t line, uint32_t sectors);

// The L2 of the device, empty. NULL when the launch has none.
struct sim_l2 *l2_new(const struct sim_launch *);
void l2_free(struct sim_l2 *);
// Takes a finished block's sector log, and empties it; counts l2_* and dram_* into the launch's counters.
// Blocks come in their linear order, from one thread.
void l2_commit(struct sim_l2 *, struct sector_log *, struct counters *);
// The launch has ended: what is still dirty stays in the cache, as on a device.
void l2_end(struct sim_l2 *, struct counters *);

void sector_log_add(struct sector_log *, uint64_t line, uint32_t sectors, uint32_t kind);
void sector_log_free(struct sector_log *);

#endif
