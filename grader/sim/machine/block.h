// Executes the blocks of a launch one at a time. A `struct block` holds the registers and the memory of the current
// block, and is reused for other blocks of the launch.
#ifndef SIM_MACHINE_BLOCK_H
#define SIM_MACHINE_BLOCK_H

#include "sim/core/warp.h"

struct grid;

enum block_state {
    BLOCK_DONE,    // all threads exited
    BLOCK_RUNNING, // the block has live threads and block_run() must be called again
    BLOCK_ASLEEP,  // all threads wait, and some for a change of memory (poll.h)
    BLOCK_STOPPED, // a finding ended the launch
};

// Returns a `struct block` in which one worker (a host thread) runs blocks of the launch. The caller frees the `struct
// block` with block_free().
struct block *block_new(struct sim_worker *, const struct grid *);
void block_free(struct block *);
// Starts the block whose linear index in the grid is `linear`, after a chain of `start` ops (sim/timing/waits.h). If
// the `struct block` holds an unfinished block, the unfinished block is abandoned.
void block_begin(struct block *, uint64_t linear, uint64_t start);
// Returns the longest path of the block's warps so far. Its `waiting` counts from the launch's start.
struct sim_path block_path(const struct block *);
// Runs the block until all its threads have exited, or a finding or the budget stops the launch. The function also
// returns when the block has executed `fuel` warp instructions, or when all warps of the block wait for other blocks.
enum block_state block_run(struct block *, uint64_t fuel);
// Returns the approximate host memory of one `struct block` of the launch, in bytes.
uint64_t block_bytes(const struct grid *);

#endif
