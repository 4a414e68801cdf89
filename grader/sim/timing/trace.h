// Records the ops that some blocks of a launch execute, warp by warp, for the replay of a multiprocessor (replay.h).
//
// Theory of operation. The time model executes only recorded ops one by one, so a kernel must not know which of its ops
// are recorded. A secret of the judge, engine_launch.sample_key, decides which ops are recorded. If all blocks of a
// launch do the same, and all parts of a block's execution are alike, the estimated time does not depend on which ops
// are recorded.
//
// Blocks. The sequence of the blocks that a launch runs (the first sample, if only samples run) is divided into
// TRACE_BLOCKS equal parts, and one block of each part is recorded. With 32 recorded blocks, the time of lab 1's
// baseline differs by 1 % between eleven keys, and with 8 by 3 %. If the longest block of a launch turns out to be
// much longer than the average block, the launch is repeated, and its longest block is recorded as well
// (TRACE_LONGEST).
//
// Slices. The execution of a block is divided into slices of some hundred ops for each warp. A new slice begins for all
// warps of a block at the moment when a barrier releases them, so that the record holds each barrier for all warps or
// for none. Where barriers are far apart, a warp's slice ends after a fixed number of ops. At first, every slice of a
// recorded block is recorded. When the record of a block's ops is full, every other recorded slice is dropped, and from
// then on only every second new slice is recorded. When the record is full again, only every fourth slice is kept, and
// so on. The judge's secret sample_key decides which half of the slices is dropped. At the end, the record of a long
// warp consists of 8 to 16 slices (TRACE_SLICES), at equal distances over the warp's whole execution (systematic
// sampling).
//
// Chain. A block's chain is the number of ops on the longest path through the block's execution. For each interval
// between two barriers, the chain counts the largest number of ops that one warp executes in the interval. If one warp
// works while the block's other warps wait, the chain is long in comparison with the block's number of ops. The replay
// compares the chain of the ops that it replays with the chain of whole blocks (replay.c).
//
// Whether an op is recorded depends on the launch alone, not on worker threads' timing. The worker thread that runs a
// block also records the block.
#ifndef SIM_TIMING_TRACE_H
#define SIM_TIMING_TRACE_H

#include <stdint.h>

#include "sim/core/launch.h"

enum { TRACE_BLOCKS = 32, TRACE_LONGEST = TRACE_BLOCKS, TRACE_SLOTS, TRACE_SLICES = 16 };
#define TRACE_NO_BLOCK UINT64_MAX

struct trace_warp {
    struct trace_run {
        uint32_t op, length; // first op, and number of ops executed in sequence
    } * run;
    struct trace_load { // a load request for global memory
        uint64_t line;  // the first line of the request
        uint32_t op;
        uint32_t serial : 31, missed : 1; // number of the load, ascending; 1: at least one sector was not in the L1
    } * load;
    uint32_t count, capacity, loads, load_capacity;
    struct trace_slice { // a recorded slice: its number, its first run and its first load, and its ops
        uint64_t number, kept;
        uint32_t run, load;
    } slice[TRACE_SLICES];
    uint32_t slices, serial; // number of recorded slices; number of loads so far
    int records;             // 1: the current slice is recorded
    uint64_t number, length; // of the current slice: its number, and the ops executed in it
    uint64_t all, kept;      // numbers of ops executed and recorded
    struct trace_slot *slot;
};

struct trace_slot { // the record of one block
    uint64_t block; // block index, or TRACE_NO_BLOCK
    uint64_t key;
    uint64_t stride, phase;  // a slice is recorded if its number modulo `stride` is `phase`
    uint64_t limit;          // maximum number of ops recorded of a warp, but for the last run of a slice
    uint32_t warps;          // number of warps of a block
    int has_barrier;         // 1: a barrier has released warps
    uint64_t chain;          // the block's chain, set when the block has ended
    struct trace_warp *warp; // [warps]
};

struct trace {
    uint32_t warps; // number of warps of a block; 0: nothing is recorded
    struct trace_slot slot[TRACE_SLOTS];
};

// Prepares the records of the ops that the blocks in `block` will execute, and removes the records of an earlier run of
// the launch. The element block[TRACE_LONGEST] is TRACE_NO_BLOCK unless the launch is repeated for its longest block.
void trace_begin(struct trace *, const struct sim_launch *, const uint64_t block[TRACE_SLOTS]);
void trace_free(struct trace *);
// Returns a pseudo-random number in [0, count), which depends only on the launch's sample_key, on `purpose` and on
// `at`. For example, the purpose "recorded" chooses the block to record in part number `at` of the sequence of blocks.
// `count` must be above 0.
uint64_t trace_choose(const struct sim_launch *, const char *purpose, uint64_t at, uint64_t count);
// Returns the record of the ops that warp number `warp` of a block executes, or NULL if the block is not recorded.
struct trace_warp *trace_of(struct trace *, uint64_t block, uint32_t warp);
// Returns 1 if at least one op of the block is recorded, otherwise 0.
int trace_has_ops(const struct trace_slot *);
// Stores how many ops the block's warps executed, and how many of them are recorded.
void trace_ops(const struct trace_slot *, uint64_t *executed, uint64_t *recorded);
// Estimates from a block's record how many times the block's warps executed each op, and adds this number for op k to
// ran[k].
void trace_count(const struct trace_slot *, uint64_t *ran);
// Adds `length` consecutive ops, from op number `op` on, to the record of the ops that a warp executes. If the last
// recorded sequence of consecutive ops ends just before op `op`, this recorded sequence is extended.
void trace_run(struct trace_warp *, uint32_t op, uint32_t length);
// Records that a barrier for all threads of the block releases the warps in the mask `warps`.
void trace_release(struct trace_slot *, uint32_t warps);
// Adds a load from global memory to the record of a warp's ops. Returns the load's serial number plus one, or 0 if the
// load is not recorded.
uint32_t trace_load(struct trace_warp *, uint32_t op, uint64_t line);
// Marks the load for which trace_load() returned `record` as a load that missed the L1. Does nothing if the slice
// (sequence of ops) with this load has been dropped from the record.
void trace_missed(struct trace_warp *, uint32_t record);

#endif
