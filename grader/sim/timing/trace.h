// Records the ops that some blocks of a launch execute, warp by warp, for the replay of a multiprocessor (replay.h).
//
// Theory of operation. The time model executes only recorded ops one by one, so a kernel must not know which of its ops
// are recorded. What is recorded follows from engine_launch.sample_key, a secret of the judge. Among equal blocks and
// equal parts of a block's life, the choice makes no difference.
//
// Blocks. The order of the blocks that a launch runs is divided into TRACE_BLOCKS equal parts, and one block of each
// part is recorded. A launch that turns out to have a much longer block is repeated, and the longest block is recorded
// as well (TRACE_LONGEST).
//
// Slices. A block's life is divided into slices of some hundred ops a warp. A slice begins for all warps of a block
// when a barrier releases them, so that the record holds each barrier for all warps or for none. Between barriers that
// are far apart, a warp's slice ends after a number of its ops. Every slice is recorded until there is no room for one
// more; then every other slice is dropped, and from then on every second one is recorded, and so on. Which of the two
// halves stays follows from the key. At the end, the record of a long warp consists of 8 to 16 slices (TRACE_SLICES)
// at equal distances of its whole life (systematic sampling).
//
// Chain. A block's chain is the number of ops on the longest path through its life: the largest number of ops that a
// warp executes between two barriers, summed over the barriers. A block in which one warp works while the others wait
// has a long chain for its ops. The replay holds the chain of what it replays against the chain of the whole blocks.
//
// Whether an op is recorded depends on the launch alone, not on worker threads' timing. The worker thread that runs a
// block also records the block.
#ifndef SIM_TIMING_TRACE_H
#define SIM_TIMING_TRACE_H

#include <stdint.h>

#include "sim/core/launch.h"

enum { TRACE_BLOCKS = 8, TRACE_LONGEST = TRACE_BLOCKS, TRACE_SLOTS, TRACE_SLICES = 16 };
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
    uint64_t chain;          // ops on the longest path through the block's life that ends at this warp
    struct trace_slot *slot;
};

struct trace_slot { // the record of one block
    uint64_t block; // block index, or TRACE_NO_BLOCK
    uint64_t key;
    uint64_t stride, phase;  // a slice is recorded if its number modulo `stride` is `phase`
    uint64_t limit;          // maximum number of ops recorded of a warp, but for the last run of a slice
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
// Estimates how many of the block's warps executed each op, from the record. Adds the numbers to ran[nops].
void trace_count(const struct trace_slot *, uint64_t *ran);
// Adds `length` consecutive ops, from op number `op` on, to the record of the ops that a warp executes. If the last
// recorded run of consecutive ops ends just before op `op`, this recorded run is extended.
void trace_run(struct trace_warp *, uint32_t op, uint32_t length);
// Returns the block's chain.
uint64_t trace_chain(const struct trace_slot *);
// Takes note that a barrier for all threads of the block releases the warps in the set `warps`.
void trace_release(struct trace_slot *, uint32_t warps);
// Adds a load from global memory to a warp's record. Returns the load's serial number plus one, or 0 if the load is not
// recorded.
uint32_t trace_load(struct trace_warp *, uint32_t op, uint64_t line);
// Marks the load for which trace_load() returned `record` as missing the L1, if its slice is still recorded.
void trace_missed(struct trace_warp *, uint32_t record);

#endif
