// What some blocks of a launch executed, warp by warp: the runs of ops that the replay of a multiprocessor goes through
// again (replay.h).
//
// Blocks are chosen by their position among those that run, so that the choice is the launch's own; each is recorded
// by the worker that runs it.
#ifndef SIM_TIMING_TRACE_H
#define SIM_TIMING_TRACE_H

#include <stdint.h>

#include "sim/core/launch.h"

enum { TRACE_BLOCKS = 8 };

struct trace_warp {
    struct trace_run {
        uint32_t op, length; // ops executed one after the other
    } * run;
    struct trace_load { // a request for global memory that loads
        uint64_t line;  // the first that it names
        uint32_t op;
        uint32_t missed; // 1: a sector was not in the L1
    } * load;
    uint32_t count, capacity, loads, load_capacity;
    uint64_t kept, all, limit; // ops recorded, and executed: beyond the limit they are only counted
};

struct trace {
    uint32_t warps;          // of a block
    uint64_t blocks, stride; // blocks of the launch that run; which of them are recorded
    struct trace_warp *warp; // [TRACE_BLOCKS * warps]
};

// Makes room for a launch of which `blocks` blocks will run, and forgets what was there.
void trace_begin(struct trace *, const struct sim_launch *, uint64_t blocks);
void trace_free(struct trace *);
// The record of a warp of the block at this position, or NULL when that is not recorded.
struct trace_warp *trace_of(struct trace *, uint64_t position, uint32_t warp);
// A run was executed. Merges it with the run before that it continues.
void trace_run(struct trace_warp *, uint32_t op, uint32_t length);
// A load is under way: its number plus one; 0: it is not recorded.
uint32_t trace_load(struct trace_warp *, uint32_t op, uint64_t line);

#endif
