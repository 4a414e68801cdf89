// The shadow of a block's shared memory: which threads accessed each word, and when. It finds races and reads of
// uninitialised memory.
//
// Theory of operation. A race is two accesses to one byte by two threads. At least one of them is a write, they are not
// both strong (atomic, volatile or the like), and neither is ordered before the other. The memory model of independent
// thread scheduling defines the order, not the lockstep in which the simulator happens to run a warp. These things
// order accesses:
//   program order of one thread · a barrier of the whole block · a named barrier, among the warps that took part ·
//   __syncwarp, among the lanes of its mask · synchronisation through memory (sync.h) · and, by transitivity, chains of
//   these.
// Shuffles and votes order nothing, and neither do fences alone.
//
// Clocks. A block runs on one host thread, so its synchronisations have a sequence. `clock` is the number of the
// current one and advances at each. Every access is stamped with the clock. What thread t knows of thread u is one
// number: all accesses of u up to that stamp are ordered before what t does now. Barriers treat many threads alike, so
// this number is the largest of the following:
//   floor              set by a barrier of the whole block, for every pair of threads;
//   warp_floor[w]      set by a __syncwarp of all lanes of warp w, for pairs of threads in w;
//   lane_known[w]      32 × 32 numbers, joined by a __syncwarp of some lanes; exists after the first such __syncwarp;
//   warp_known         32 × 32 numbers for pairs of warps, joined by named barriers; exists after the first one;
//   sync               vector clocks of single threads; exist after the first fence or release.
// In a kernel with __syncthreads() alone, all this is one comparison with `floor`.
// If a warp only arrives at a named barrier, the others know what it did before its arrival, not before the barrier's
// end.
//
// Cells. The cell of a word holds its latest plain write. Of the plain readers since that write it holds the lanes of
// one warp, with the stamp of the latest, and one thread of another warp. It also holds the latest strong write and
// strong read. This is enough, for these reasons:
//   - A write that is ordered after an older access makes the older one redundant: an access that races with the older
//     one races with the newer one too. So one write is kept, and no readers from before that write.
//   - Suppose that only barriers of the whole block order different warps. Then a later writer in warp w races with a
//     reader of another warp if and only if it races with one of two kept readers from different warps. With named
//     barriers or synchronisation through memory, up to SHADOW_READERS further readers are kept that are unordered
//     among each other (`more`). If there are still more, a race can be missed, but none is reported that does not
//     exist.
//   - Within a warp, a mask holds every lane that read. Where lanes may be ordered one by one, the stamp of each lane
//     is kept beside the mask (`wide`).
// Of several strong accesses that are unordered among each other, the latest stands for all.
// An asynchronous copy marks the words that it will write until a thread has waited for the copy (copies.h).
// If accesses narrower than a word fall on a word, its cell is split into four cells of one byte.
//
// No false alarms. A race is reported only if the stamp of the other access exceeds what this thread knows of the other
// thread. The stamp is that access's own. For a mask of lanes it is the stamp of the latest lane, while no
// synchronisation inside the warp came between them. What a thread knows is never too small, because each rule above
// records the clock at the moment of the synchronisation and joins what the partners knew. So the two accesses are
// unordered in this execution. With barriers alone, they are unordered in every execution that takes the same branches,
// and the verdict does not depend on the schedule. Atomics: the latest strong access stands for all before it, because
// atomic accesses to one location have an order of their own (coherence). For the same reason, the pattern "the last
// block to arrive reads the plain sums" is no race.
//
// Volatile data. Volatile accesses are strong, but no lane waits for another. A reduction inside a warp on volatile
// sums, without __syncwarp() between its steps, is right by luck. So two volatile accesses by lanes of one warp are a
// race if one is a write that changes the word and neither is ordered before the other. This rule applies only to
// kernels that have no flags in shared memory (lower/flag.c). In such a kernel no value that is read volatile decides
// what a lane executes, and nothing is atomic. So no lane polls or retries, and a reader uses whatever value is there.
// A kernel with flags may order its lanes by the flags, without a fence if the data is volatile too. It may also read a
// flag just for its value. There, two volatile accesses are never a race; all other rules apply.
// A store of the value that is there already does not count as a write, because every reader sees the same value. If
// the lane that wrote the word reads it back, an earlier reader stays in the cell, because the lane's next write does
// not know that reader. Here, too, a race can be missed, but none is reported that does not exist.
//
// Uninitialised memory. A word was never written in this block if its write stamp is below `first_stamp`. A store of a
// value with undefined bits splits the word and records these bits. Memory itself holds zeros when a block begins.
#ifndef SIM_HAZARD_SHADOW_H
#define SIM_HAZARD_SHADOW_H

#include <stdint.h>

#include "sim/core/access.h"

#define SHADOW_SPLIT 0xffffffffu     // write_stamp of a word whose bytes have their own cells
#define SHADOW_IN_FLIGHT 0xfffffffeu // write_stamp of a word that an asynchronous copy will write
// Ops that a cell can name. A finding has no line for ops beyond.
enum { SHADOW_OPS = (1 << 22) - 1, SHADOW_BARRIERS = 16 };

// A stamp of 0 means never. `writer`, `other` and the strong ones are STAMP_ACCESS words, `reader` is a
// STAMP_WARP_ACCESS word (stamp.h).
struct sync_state;     // sync.h
struct shadow_copies;  // copies.h
struct shadow_arrival; // shadow.c

struct shadow_cells {
    uint32_t *write_stamp, *writer;
    uint32_t *read_stamp, *reader, *read_lanes;
    uint32_t *other_stamp, *other;                // a reader in another warp
    uint32_t *strong_write_stamp, *strong_writer; // NULL until the first strong access
    uint32_t *strong_read_stamp, *strong_reader;
    struct shadow_lane_stamps **wide; // NULL until lanes of a warp are ordered one by one
    struct shadow_readers **more;     // NULL until a third reader, while warps are ordered one by one
    uint32_t count;
};

struct sim_shadow {
    uint32_t checks;
    uint32_t words;
    uint64_t block; // index in the grid of the block that runs
    uint32_t clock, first_stamp, floor;
    uint32_t strong; // stamp of the latest strong access
    uint32_t splits; // words that were split since the last reset
    uint32_t warp_floor[BLOCK_WARPS_MAX];
    uint32_t lanes_apart; // bit w: lane_known[w] is in use
    uint32_t (*lane_known[BLOCK_WARPS_MAX])[WARP_LANES];
    uint32_t (*warp_known)[BLOCK_WARPS_MAX];
    uint32_t warps_apart; // 1: warp_known is in use
    uint32_t warps;
    struct sync_state *sync;        // NULL until the block synchronises through memory
    struct sync_state *idle_sync;   // kept for later blocks
    struct shadow_arrival *arrival; // [SHADOW_BARRIERS]: NULL until the first bar.arrive
    struct shadow_copies *copies;   // NULL until the first asynchronous copy
    struct shadow_cells word, byte; // byte: [4 * words], arrays NULL until the first split
    uint8_t *undefined;             // [4 * words]: bits of a byte stored undefined; of split words only
};

// Returns the shadow for one block at a time of the launch, or NULL if the launch has neither CHECK_RACES nor
// CHECK_WRITTEN. Without shared memory, the shadow is only a clock. The caller frees it with shadow_free.
struct sim_shadow *shadow_new(const struct sim_launch *);
void shadow_free(struct sim_shadow *);

// Starts a block, named by its index in the grid: nothing is written yet.
void shadow_begin(struct sim_shadow *, uint64_t block);
// Counts the bytes [at, at + bytes) as written.
void shadow_mark_written(struct sim_shadow *, uint32_t at, uint32_t bytes);
// Records a barrier of the whole block: all that its threads did is ordered before all that they do later.
void shadow_barrier(struct sim_shadow *);
// Records that the lanes in `mask` of a warp met at a __syncwarp().
void shadow_warp_barrier(struct sim_warp *, uint32_t mask);
// Records that a warp arrived at named barrier `id` and did not wait there (bar.arrive).
void shadow_named_arrive(struct sim_block *, uint32_t id, uint32_t warp);
// Records that named barrier `id` was completed by some of the block's threads. The warps in the mask `waited` are
// ordered after each other, and after what the arriving warps had done when they arrived.
void shadow_named_barrier(struct sim_block *, uint32_t id, uint32_t waited);

// Returns 1 if the accesses of `thread` up to `stamp` are ordered before what the lane of the warp does now. All are of
// this block.
int shadow_knows(const struct sim_shadow *, uint32_t warp, uint32_t lane, uint32_t thread, uint32_t stamp);
// Makes the state for synchronisation through memory (sync.h), unless the block has it already.
void shadow_start_sync(struct sim_shadow *);

// Checks and records one lane's read of a->bytes bytes at `at`, an offset in the window. Reports races. Returns the
// undefined bits of the value. `at_once` 1: reports undefined bits here.
uint64_t shadow_read(struct sim_warp *, const struct sim_access *, uint32_t lane, uint32_t at, int at_once);
// Checks and records one lane's write. `fresh`: the bytes to be stored; memory still holds the old ones. `undefined`:
// the undefined bits of the value.
void shadow_write(struct sim_warp *, const struct sim_access *, uint32_t lane, uint32_t at, const void *fresh,
                  uint64_t undefined);
// Returns 1 if any byte of the word that holds `at` was written.
int shadow_is_touched(const struct sim_shadow *, uint32_t at);
// Checks and records one lane's atomic.
void shadow_atomic(struct sim_warp *, const struct sim_access *, uint32_t lane, uint32_t at);

#endif
