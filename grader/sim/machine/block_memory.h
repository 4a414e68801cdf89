// Updates a block's shared memory, the shadow of its shared memory, and its simulated L1 at the block's start, at
// barriers and at the block's end. The shadow of shared memory records accesses to shared memory for the race check
// (hazard/shadow.h).
#ifndef SIM_MACHINE_BLOCK_MEMORY_H
#define SIM_MACHINE_BLOCK_MEMORY_H

#include "sim/core/launch.h"

// Prepares shared memory, its shadow and the simulated L1 for a new block. The block's shared memory is set to 0. The
// caller owns block->shared, an array of launch->shared_bytes bytes, and block->shadow, which comes from shadow_new().
void block_memory_begin(struct sim_block *);
// Records that all threads of the block have passed a barrier.
void block_memory_barrier(struct sim_block *);
// Completes the counters and the log of L2 requests (sector log) of a block whose threads have all exited.
void block_memory_end(struct sim_block *);

#endif
