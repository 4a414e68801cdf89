// A place in which blocks run, one at a time.
#ifndef SIM_MACHINE_BLOCK_H
#define SIM_MACHINE_BLOCK_H

#include "sim/core/warp.h"

struct grid;

enum block_state {
    BLOCK_DONE,    // all threads exited
    BLOCK_RUNNING, // it can go on
    BLOCK_STOPPED, // a finding ended the launch
};

// Returns a place for blocks of the launch, used by one worker. The caller frees it with block_free.
struct block *block_new(struct sim_worker *, const struct grid *);
void block_free(struct block *);
// Starts the block with that index in the grid.
void block_begin(struct block *, uint64_t linear);
// Runs the block until it ends, a finding or its budget stops it, it used up `fuel` instructions, or all its warps
// wait for other blocks.
enum block_state block_run(struct block *, uint64_t fuel);
// Returns the host memory that one place takes, in bytes.
uint64_t block_bytes(const struct grid *);

#endif
