// Records the ops that some blocks of a launch execute, warp by warp, for the replay of a multiprocessor (replay.h).
//
// Theory of operation. The time model executes only recorded ops one by one, so a kernel must not know which of its
// blocks are recorded. The recorded blocks follow from engine_launch.sample_key, a secret of the judge. Among equal
// blocks, the choice makes no difference.
//
// Blocks. The order of the blocks that a launch runs is divided into TRACE_BLOCKS equal parts, and one block of each
// part is recorded. A launch that turns out to have a much longer block is repeated, and the longest block is recorded
// as well (TRACE_LONGEST).
//
// Ops. The record of a warp ends after a limit. How often each op is executed in the whole launch is known from its
// counters, so the replay scales its result op by op, and later ops that it never saw are not free (replay.c).
//
// Whether an op is recorded depends on the launch alone, not on worker threads' timing. The worker thread that runs a
// block also records the block.
#ifndef SIM_TIMING_TRACE_H
#define SIM_TIMING_TRACE_H

#include <stdint.h>

#include "sim/core/launch.h"

enum { TRACE_BLOCKS = 8, TRACE_LONGEST = TRACE_BLOCKS, TRACE_SLOTS };
#define TRACE_NO_BLOCK UINT64_MAX

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
    uint64_t kept, all, limit; // numbers of ops recorded and executed; ops after `limit` are not recorded
};

struct trace_slot {          // the record of one block
    uint64_t block;          // block index, or TRACE_NO_BLOCK
    uint32_t warps;          // number of warps of a block
    struct trace_warp *warp; // [warps]
};

struct trace {
    uint32_t warps; // number of warps of a block; 0: nothing is recorded
    struct trace_slot slot[TRACE_SLOTS];
};

// Prepares records for the blocks `block`, and removes the records of an earlier run of the launch.
// block[TRACE_LONGEST] is TRACE_NO_BLOCK unless the launch is repeated for its longest block.
void trace_begin(struct trace *, const struct sim_launch *, const uint64_t block[TRACE_SLOTS]);
void trace_free(struct trace *);
// Chooses one of `count` things: the thing number `at` of a purpose, such as the block to record in a part of the grid.
// Returns a number in [0, count), which depends on the launch's sample_key. `count` must be above 0.
uint64_t trace_choose(const struct sim_launch *, const char *purpose, uint64_t at, uint64_t count);
// Returns the record of a block's warp, or NULL if the block is not recorded.
struct trace_warp *trace_of(struct trace *, uint64_t block, uint32_t warp);
// Returns 1 if the block's record has ops, else 0.
int trace_has_ops(const struct trace_slot *);
// Estimates how many of the block's warps executed each op, from the record. Adds the numbers to ran[nops].
void trace_count(const struct trace_slot *, uint64_t *ran);
// Adds `length` consecutive ops, from op number `op` on, to the record of the ops that a warp executes. If the last
// recorded run of consecutive ops ends just before op `op`, this recorded run is extended.
void trace_run(struct trace_warp *, uint32_t op, uint32_t length);
// Adds a load from global memory to a warp's record. Returns the load's index plus one, or 0 if the load is not
// recorded.
uint32_t trace_load(struct trace_warp *, uint32_t op, uint64_t line);
// Marks the load for which trace_load() returned `record` as missing the L1.
void trace_missed(struct trace_warp *, uint32_t record);

#endif
