// Records what some blocks of a launch execute, warp by warp, for the replay of a multiprocessor (replay.h).
//
// Blocks are selected by their position among those that run, so the selection depends on the launch alone. The worker
// that runs a block records it.
#ifndef SIM_TIMING_TRACE_H
#define SIM_TIMING_TRACE_H

#include <stdint.h>

#include "sim/core/launch.h"

enum { TRACE_BLOCKS = 8 };

struct trace_warp {
    struct trace_run {
        uint32_t op, length; // first op and number of ops executed in sequence
    } * run;
    struct trace_load { // a request for global memory that loads
        uint64_t line;  // the first line that the request names
        uint32_t op;
        uint32_t missed; // 1: a sector was not in the L1
    } * load;
    uint32_t count, capacity, loads, load_capacity;
    uint64_t kept, all,
        limit; // number of ops recorded and executed; beyond the limit, ops are counted but not recorded
};

struct trace {
    uint32_t warps;          // number of warps of a block
    uint64_t blocks, stride; // number of blocks that run; every `stride`-th is recorded, up to TRACE_BLOCKS
    struct trace_warp *warp; // [TRACE_BLOCKS * warps]
};

// Makes room for a launch that will run `blocks` blocks, and removes the records of an earlier launch.
void trace_begin(struct trace *, const struct sim_launch *, uint64_t blocks);
void trace_free(struct trace *);
// Returns the record of a warp of the block at this position, or NULL if the block is not recorded.
struct trace_warp *trace_of(struct trace *, uint64_t position, uint32_t warp);
// Adds a run of ops. A run that continues the one before extends it.
void trace_run(struct trace_warp *, uint32_t op, uint32_t length);
// Adds a load. Returns its number plus one, or 0 if the load is not recorded.
uint32_t trace_load(struct trace_warp *, uint32_t op, uint64_t line);

#endif
