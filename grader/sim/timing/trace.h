// Records the ops that some blocks of a launch execute, warp by warp, for the replay of a multiprocessor (replay.h).
//
// Theory of operation. The time model executes only recorded ops one by one, so a kernel must not know which of its ops
// are recorded. The recorded blocks and the recorded window of a block follow from engine_launch.sample_key, a
// secret of the judge. Among equal blocks, the choice makes no difference.
//
// Blocks. The order of the blocks that a launch runs is divided into TRACE_BLOCKS equal parts, and one block of each
// part is recorded. A launch that turns out to have a much longer block is repeated, and the longest block is recorded
// as well (TRACE_LONGEST).
//
// Windows. The ops of a block are divided into windows of a few thousand ops for each warp, and one window is recorded.
// A new window begins for all warps of a block when a barrier releases them, so that the record's barriers match, or
// for a single warp if the block has no barrier. Window number n replaces the record with probability 1 / (n + 1),
// which makes all windows equally probable (reservoir sampling; Vitter, ACM TOMS 1985). A window that ends early
// replaces nothing. The recorded windows of the blocks thus lie anywhere in the warps' lives.
//
// Whether an op is recorded depends on the launch alone, not on worker threads' timing. The worker thread that runs a
// block also records the block.
#ifndef SIM_TIMING_TRACE_H
#define SIM_TIMING_TRACE_H

#include <stdint.h>

#include "sim/core/launch.h"

enum { TRACE_BLOCKS = 8, TRACE_LONGEST = TRACE_BLOCKS, TRACE_SLOTS };
#define TRACE_NO_BLOCK UINT64_MAX

struct trace_record { // a window of a warp
    struct trace_run {
        uint32_t op, length; // first op, and number of ops executed in sequence
    } * run;
    struct trace_load { // a load request for global memory
        uint64_t line;  // the first line of the request
        uint32_t op;
        uint32_t serial : 31, missed : 1; // number of the load, ascending; 1: at least one sector was not in the L1
    } * load;
    uint32_t count, capacity, loads, load_capacity;
    uint64_t kept; // number of ops
};

struct trace_warp {
    struct trace_record kept, next; // the record, and the window that may replace it
    uint32_t serial;                // number of loads so far
    int records;                    // 1: `next` is recorded; 2: the current window is in `kept`; 0: neither
    uint64_t all, in_window;        // numbers of ops executed, and executed in the current window
    uint64_t window;                // number of the current window
    struct trace_slot *slot;
};

struct trace_slot {          // the record of one block
    uint64_t block;          // block index, or TRACE_NO_BLOCK
    uint64_t key, limit;     // key of the choice of windows; least number of ops of a window
    uint32_t warps;          // number of warps of a block
    int has_barrier;         // 1: a barrier has released warps
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
// Estimates how many of the block's warps executed each op, from the recorded windows. Adds the numbers to ran[nops].
void trace_count(const struct trace_slot *, uint64_t *ran);
// Adds `length` consecutive ops, from op number `op` on, to the record of the ops that a warp executes. If the last
// recorded run of consecutive ops ends just before op `op`, this recorded run is extended.
void trace_run(struct trace_warp *, uint32_t op, uint32_t length);
// Adds a load from global memory to a warp's record. Returns the load's serial number plus one, or 0 if the load is not
// recorded.
uint32_t trace_load(struct trace_warp *, uint32_t op, uint64_t line);
// Takes note that a barrier releases the warps of a block.
void trace_release(struct trace_slot *);
// Marks the load for which trace_load() returned `record` as missing the L1, unless the load's window was dropped.
void trace_missed(struct trace_warp *, uint32_t record);

#endif
