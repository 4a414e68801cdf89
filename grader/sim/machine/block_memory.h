// The memory side of a block's life: its shared memory, the shadow of it, and the L1.
#ifndef SIM_MACHINE_BLOCK_MEMORY_H
#define SIM_MACHINE_BLOCK_MEMORY_H

#include "sim/core/launch.h"

// Makes shared memory, its shadow and the L1 those of a new block. The caller owns block->shared, which has
// shared_bytes, and block->shadow (shadow_new).
void block_memory_begin(struct sim_block *);
// Records that all threads of the block passed a barrier.
void block_memory_barrier(struct sim_block *);
// Completes the counters and the sector log of a block whose threads have all exited.
void block_memory_end(struct sim_block *);

#endif
