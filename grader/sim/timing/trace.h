// Records the ops that some blocks of a launch execute, warp by warp, for the replay of a multiprocessor (replay.h).
//
// Whether a block is recorded depends only on its position in the order of all blocks that the launch runs, not on
// worker threads' timing. The worker thread that runs a block also records the block.
#ifndef SIM_TIMING_TRACE_H
#define SIM_TIMING_TRACE_H

#include <stdint.h>

#include "sim/core/launch.h"

enum { TRACE_BLOCKS = 8 };

struct trace_warp {
    struct trace_run {
        uint32_t op, length; // first op, and number of ops executed in sequence
    } * run;
    struct trace_load { // a load request for global memory
        uint64_t line;  // the first line of the request
        uint32_t op;
        uint32_t missed; // 1: at least one sector was not in the L1
    } * load;
    uint32_t count, capacity, loads, load_capacity;
    uint64_t kept, all,
        limit; // numbers of ops recorded and executed; ops after `limit` are not recorded
};

struct trace {
    uint32_t warps;          // number of warps of a block
    uint64_t blocks, stride; // number of blocks that run; every `stride`-th block is recorded, up to TRACE_BLOCKS
    struct trace_warp *warp; // [TRACE_BLOCKS * warps]
};

// Allocates records for a launch that will run `blocks` blocks, and removes the records of an earlier launch.
void trace_begin(struct trace *, const struct sim_launch *, uint64_t blocks);
void trace_free(struct trace *);
// Returns the record of a warp, or NULL if its block is not recorded. `position` is the position of the warp's block in
// the order of all blocks that the launch runs.
struct trace_warp *trace_of(struct trace *, uint64_t position, uint32_t warp);
// Adds `length` consecutive ops, from op number `op` on, to the record of the ops that a warp executes. If the last
// recorded run of consecutive ops ends just before op `op`, this recorded run is extended.
void trace_run(struct trace_warp *, uint32_t op, uint32_t length);
// Adds a load from global memory to a warp's record. Returns the load's index plus one, or 0 if the load is not
// recorded.
uint32_t trace_load(struct trace_warp *, uint32_t op, uint64_t line);

#endif
