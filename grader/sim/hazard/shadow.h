// Says what a race is, and which accesses of a block are ordered; finds races and reads of uninitialised memory in the
// block's shared memory. A block's shadow (struct sim_shadow) records which threads accessed each word, and when.
//
// Theory of operation. A race is two accesses to one byte by two threads. At least one of the two accesses of a race is
// a write. The two accesses of a race are not both strong (atomic, volatile or the like), and neither is ordered before
// the other. The memory model of independent thread scheduling (since Volta) defines which accesses are ordered. The
// simulator runs the lanes of a warp in lockstep, but this lockstep orders no accesses. Accesses are ordered only by
// program order, barriers, __syncwarp and release/acquire synchronisation.
//   - Program order orders the accesses of one thread.
//   - A barrier of the whole block orders the block's accesses before the barrier and those after it: each earlier
//     access is ordered before each later access.
//   - A named barrier orders the accesses of the warps that took part in it.
//   - A __syncwarp orders the accesses of the lanes in its mask.
//   - Release/acquire synchronisation through memory orders accesses (sync.h).
//   - The order of accesses is transitive.
// Shuffles, votes and fences alone order no accesses.
//
// Clocks. The simulator runs a block on one host thread, so the synchronisations of a block take place one after
// another. The field `clock` of the shadow advances by one at each synchronisation of the block. The stamp of an access
// is the value of `clock` at the time of the access. For each pair of threads t and u, struct sim_shadow holds a bound:
// all accesses of u with stamps up to the bound are ordered before the current access of t. Because barriers treat many
// threads alike, struct sim_shadow mostly stores one bound (a clock value) for a whole block, a warp or a pair of
// warps. Five fields of struct sim_shadow hold bounds up to which one thread's accesses are ordered before another
// thread's current access. If several fields of struct sim_shadow hold a bound for one pair of threads, the largest of
// these bounds counts.
//   - The field `floor` is set by a barrier of the whole block and applies to every pair of threads.
//   - The field `warp_floor[w]` is set by a __syncwarp of all lanes of warp w and applies to pairs of threads in w.
//   - The table `lane_known[w]` has 32 × 32 bounds, one for each pair of lanes of warp w. The table `lane_known[w]` is
//     in use after the block's first __syncwarp of only some lanes of w.
//   - The table `warp_known` has 32 × 32 bounds, one for each pair of warps. The table `warp_known` is in use after the
//     block's first named barrier.
//   - The field `sync` holds vector clocks of single threads and is in use after the block's first fence or release.
// In a kernel whose only synchronisation is __syncthreads(), the race check of one access is a single comparison with
// the field `floor`. If a warp executes bar.arrive on a named barrier, its earlier accesses are ordered before the next
// accesses of the warps that wait at the barrier. The accesses that a warp makes after its bar.arrive are not ordered
// before accesses of the waiting warps.
//
// Cells. A shadow cell is the record of the latest accesses to one word. Each recorded access has its stamp, the value
// of `clock` at its time. A cell keeps no more accesses than the check needs (race_rule.h):
//   - the latest plain write. If a write is ordered after an older access, whatever races with the older access also
//     races with the write, so the older access is dropped.
//   - sets of plain readers since that write. A set is lanes of one warp that read the word with no synchronisation of
//     the warp between these reads; where lanes may be ordered individually, at one clock value. A lane whose read is
//     ordered before a newer read is dropped: a write that races with the older read also races with the newer one.
//   - the latest strong write and the latest strong read, of several that are unordered among each other.
// In shared memory, a cell has two sets, `reader` and `other`. If barriers of the whole block are the only
// synchronisation between warps, these are enough: a write that races with a further warp's read also races with one of
// theirs. Otherwise the cell has a list `more` of SHADOW_READERS further sets. A read for which a cell has no room is
// not recorded, and a race with it can be missed.
//
// While an asynchronous copy to a word is in flight (until it counts as completed, for example after a wait, copies.h),
// the write stamp in the word's cell is SHADOW_IN_FLIGHT. If an access narrower than a word falls on a word, the word's
// cell is split into four cells of one byte.
//
// No false alarms. The race check reports a race only if the two accesses are unordered in the simulated execution. The
// stamp of a recorded access is the exact value of `clock` at the time of that access. A mask of lanes that read a word
// has one stamp, that of the latest read, if no synchronisation inside the warp came between these reads. At each
// synchronisation, struct sim_shadow records which accesses are now ordered before the next accesses of the
// participating threads. For any recorded access, the race check therefore knows whether it is ordered before the
// current access. If a kernel synchronises with barriers alone, the two accesses of a reported race are unordered in
// every execution that takes the same branches. Whether the race check reports a race in a kernel that synchronises
// with barriers alone therefore does not depend on the order in which the simulator runs the threads. For atomics, it
// is enough that a shadow cell keeps only the latest strong access, because atomic accesses to one location have an
// order of their own (coherence). The coherence order of an atomic counter also lets a kernel's last block read plain
// partial sums without a race, if the writers execute a fence first (sync.h).
//
// Volatile data. Volatile accesses are strong, but a volatile access makes no lane wait for another lane. The result of
// a reduction inside a warp on volatile sums without __syncwarp() between its steps is right only by luck. Two
// unordered volatile accesses by lanes of one warp are therefore a race if at least one of them is a write that changes
// the word. A flag is a word that a thread polls or tests to learn what another thread has done (lower/flag.c). A
// volatile race is reported only if the kernel uses no word of that memory as a flag: no value from a volatile read
// decides which code a lane executes, and no access to the memory is atomic. Then no lane polls a word or retries an
// operation, so a reader uses any value that the word happens to hold. In a kernel with flags, two volatile accesses
// never race, but all other rules apply: a lane may correctly signal another by a volatile flag without a fence, if the
// data that it announces is also volatile, or read a flag merely for its value. A volatile store of the value that is
// already in memory does not race with volatile reads, because every reader sees the same value.
//
// Of the volatile reads of a word, its cell normally holds only the latest. If the lane that wrote the word last reads
// the word back, its read does not replace another lane's that is not ordered before it, so that a race between that
// read and the lane's next write is found. The search for volatile races can miss a race, but never reports a false
// one.
//
// Uninitialised memory. If the stamp of the last write to a word is below `first_stamp`, the word was never written in
// this block. A store of a value with undefined bits splits the word's shadow cell into four cells of one byte and
// records the undefined bits. The simulator fills a block's shared memory with zeros when the block begins.
#ifndef SIM_HAZARD_SHADOW_H
#define SIM_HAZARD_SHADOW_H

#include <stdint.h>

#include "sim/core/access.h"

#define SHADOW_SPLIT 0xffffffffu     // write_stamp of a word whose bytes have their own cells
#define SHADOW_IN_FLIGHT 0xfffffffeu // write_stamp of a word that an asynchronous copy will write
// A shadow cell stores the index of the op that made a recorded access, if that index is less than SHADOW_OPS. If the
// index of the op is SHADOW_OPS or more, a race report has no source line for the recorded access. SHADOW_BARRIERS is
// the number of named barriers of a block.
enum { SHADOW_OPS = (1 << 22) - 1, SHADOW_BARRIERS = 16 };

struct sync_state;     // sync.h
struct shadow_copies;  // copies.h
struct shadow_arrival; // shadow.c

// Holds shadow cells as arrays with one element for each cell. In the stamp arrays of struct shadow_cells, a stamp
// (clock value of an access) of 0 means that no access is recorded. The arrays `reader` and `other` hold
// STAMP_WARP_ACCESS words (stamp.h). The arrays `writer`, `strong_writer` and `strong_reader` hold STAMP_ACCESS words.
struct shadow_cells {
    uint32_t *write_stamp, *writer;
    uint32_t *read_stamp, *reader, *read_lanes;
    uint32_t *other_stamp, *other, *other_lanes;  // the same of a second set of readers
    uint32_t *strong_write_stamp, *strong_writer; // NULL until the first strong access
    uint32_t *strong_read_stamp, *strong_reader;
    struct shadow_readers **more; // NULL until a cell needs a third set of readers (cell.c, cell_add_set)
    uint32_t count;
};

struct sim_shadow {
    uint32_t checks; // enum engine_checks
    uint32_t words;  // size of the block's shared memory in words
    uint64_t block;  // index in the grid of the block that runs
    uint32_t clock, first_stamp, floor;
    uint32_t strong; // stamp of the latest strong access
    uint32_t splits; // number of words split into bytes since the block began
    uint32_t warp_floor[BLOCK_WARPS_MAX];
    uint32_t lanes_apart; // bit w: lane_known[w] is in use
    uint32_t (*lane_known[BLOCK_WARPS_MAX])[WARP_LANES];
    uint32_t (*warp_known)[BLOCK_WARPS_MAX];
    uint32_t warps_apart; // 1: warp_known is in use
    uint32_t warps;
    struct sync_state *sync;        // NULL until the block synchronises through memory
    struct sync_state *idle_sync;   // cleared state, kept for reuse in later blocks
    struct shadow_arrival *arrival; // [SHADOW_BARRIERS]: NULL until the first bar.arrive
    struct shadow_copies *copies;   // NULL until the first asynchronous copy
    struct shadow_cells word, byte; // byte: [4 * words], arrays NULL until the first split
    uint8_t *undefined;             // [4 * words]: undefined bits of each byte; valid for split words only
};

// Returns a new struct sim_shadow, which records the accesses to a block's shared memory. One struct sim_shadow can
// serve several blocks of the launch one after another, if the caller starts each block with shadow_begin(). Returns
// NULL if the launch asks for neither CHECK_RACES nor CHECK_WRITTEN. If the kernel has no shared memory, the struct
// sim_shadow has a clock for the race check of global memory, but no access records. The caller frees the struct
// sim_shadow with shadow_free().
struct sim_shadow *shadow_new(const struct sim_launch *);
void shadow_free(struct sim_shadow *);

// Starts a block in which no word of shared memory has been written. `block` is the index of the block in the grid.
void shadow_begin(struct sim_shadow *, uint64_t block);
// Marks the bytes [at, at + bytes) of shared memory as written before all accesses of the block.
void shadow_mark_written(struct sim_shadow *, uint32_t at, uint32_t bytes);
// Records a barrier of the whole block, which orders all earlier accesses of the block's threads before all their later
// accesses.
void shadow_barrier(struct sim_shadow *);
// Records that the lanes in `mask` of a warp have completed a __syncwarp() together.
void shadow_warp_barrier(struct sim_warp *, uint32_t mask);
// Records that a warp arrived at named barrier `id` without waiting there (bar.arrive).
void shadow_named_arrive(struct sim_block *, uint32_t id, uint32_t warp);
// Records that the warps in the mask `waited` passed named barrier `id` together. The earlier accesses of the warps in
// `waited` are ordered before the later accesses of all warps in `waited`. If another warp only arrived at the named
// barrier (bar.arrive), the accesses that it made before it arrived are also ordered before the later accesses of the
// warps in `waited`.
void shadow_named_barrier(struct sim_block *, uint32_t id, uint32_t waited);

// Returns 1 if all accesses of `thread` up to clock value `stamp` are ordered before the current access of lane `lane`
// of the warp. The arguments `thread` and `warp` are indices in the current block.
int shadow_knows(const struct sim_shadow *, uint32_t warp, uint32_t lane, uint32_t thread, uint32_t stamp);
// Allocates the state for synchronisation through memory (sync.h), unless the block already has this state.
void shadow_start_sync(struct sim_shadow *);

// Checks and records a read of a->bytes bytes at offset `at` of the shared window by the lanes in `lanes`, and reports
// races. Returns the undefined bits of the value that they read. If `at_once` is 1, a read of bytes that were never
// written is reported immediately, for the first lane, and the function then returns 0.
uint64_t shadow_read(struct sim_warp *, const struct sim_access *, uint32_t lanes, uint32_t at, int at_once);
// Checks and records one lane's write at offset `at` of the shared window. `fresh` points to the bytes to be stored.
// Call shadow_write() before the store, while memory still holds the old bytes. `undefined` is a mask of the undefined
// bits in the stored value.
void shadow_write(struct sim_warp *, const struct sim_access *, uint32_t lane, uint32_t at, const void *fresh,
                  uint64_t undefined);
// Returns 1 if the block has written any byte of the word that contains offset `at`.
int shadow_is_touched(const struct sim_shadow *, uint32_t at);
// Checks and records one lane's atomic at offset `at` of the shared window.
void shadow_atomic(struct sim_warp *, const struct sim_access *, uint32_t lane, uint32_t at);

#endif
