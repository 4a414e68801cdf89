// Runs the blocks of a launch once, in parallel or interleaved. grid.c decides which, and how often.
#ifndef SIM_MACHINE_BLOCKS_H
#define SIM_MACHINE_BLOCKS_H

#include <pthread.h>
#include <stdint.h>

#include "base/text_struct.h"
#include "sim/core/launch.h"
#include "sim/machine/grid.h"
#include "sim/machine/sampling_plan.h"

// Holds the result of one block. The results of blocks are added to the results of the grid in the order of the blocks.
struct block_result {
    struct block_result *next; // next entry of the list of unused results
    struct sector_log sectors;
    struct text print;
    uint64_t executed, charged, clock;
    struct sim_path path;
    int stopped; // 1: a finding ended the launch in this block
};

// Describes one run of a launch, which may need several runs. A position is the index of a block in the order in which
// blocks are run.
struct run {
    struct grid *grid;
    const uint32_t *order;                    // [position]: block index; NULL: both are equal
    const struct stratum_sample *share, *now; // [shares]: samples to run; the sample that runs now
    uint32_t shares;
    uint64_t blocks;       // number of blocks of the current sample
    struct counters *op;   // [nops]: counters of the current sample's blocks
    uint64_t *taken, *ran; // [nops]: like grid.taken and grid.ran, for the current sample
    int turns;             // 1: one thread interleaves all blocks
    uint32_t workers;
    pthread_mutex_t lock;
    pthread_cond_t moved;     // signalled when `committed` grows
    uint64_t next, committed; // next position to run; number of positions that are committed
    uint64_t spent;           // interleaved: warp instructions so far
    uint64_t written;         // words that were written before the current sample
    uint64_t longest;         // block that is recorded because it is the longest, or TRACE_NO_BLOCK
    uint64_t stop;            // only positions below this one are run
    uint32_t window_size;
    struct block_result **window; // [p % window_size]: result of position p; NULL: the block has not ended
    struct block_result *spare;   // list of unused results; the latest used result is first, as caches still hold it
    int commits;                  // 1: a worker is in commit()
    struct sector_log *log;       // receives the L2 requests of a probed block; NULL: the L2 receives them
};

struct worker {
    struct sim_worker base;
    struct run *run;
    pthread_t thread;
    struct op_tally *tally; // [nops + 1]: sum of the tallies of the worker's blocks
    uint64_t *ran;          // [nops]: warps that executed each op, computed from `tally` at the end
};

// Prepares the run's window and locks. blocks_close() frees them.
void blocks_open(struct run *);
void blocks_close(struct run *);
// Starts to count what a worker executes, and adds the counts to the run.
void blocks_worker_open(struct worker *, struct run *);
void blocks_worker_close(struct worker *);
// Returns the index of the block at a position of the current sample.
uint64_t blocks_at(const struct run *, uint64_t position);
// Returns 1 if the run must be repeated, because its findings are incomplete or blocks conflict.
int blocks_given_up(const struct run *);
// Run the blocks of the current sample: on up to `threads` worker threads, or in turns on the calling thread.
void blocks_run_parallel(struct run *, uint32_t threads);
void blocks_run_interleaved(struct run *);
// Forgets the results that are not committed.
void blocks_empty_window(struct run *);

#endif
