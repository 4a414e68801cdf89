// Finds races and reads of uninitialised memory in the shared memory of a block. A block's shadow (struct sim_shadow)
// records which threads accessed each word of shared memory, and when.
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
// Cells. A shadow cell is the record of the latest accesses to one word of shared memory. Each recorded access has its
// stamp, the value of `clock` at the time of the access. A shadow cell holds the latest plain write to its word. A
// shadow cell also has two fields, `reader` and `other`, for plain reads of its word since the latest plain write. The
// field `reader` of a shadow cell holds a mask of lanes of one warp, with the stamp of the latest read by one of these
// lanes. The field `other` of a shadow cell holds one thread of a warp other than the warp in `reader`. A shadow cell
// further holds the latest strong write and the latest strong read of its word. A shadow cell keeps no more accesses to
// its word than the race check needs.
//   - If a write is ordered after an older access to the same word, the shadow cell drops the older access. An access
//     that races with the older access also races with the write. A shadow cell therefore keeps only the latest plain
//     write to its word, and no plain reads from before this write.
//   - If barriers of the whole block are the only synchronisation between warps, the fields `reader` and `other` of a
//     shadow cell are enough. If a block synchronises only by barriers of the whole block, a write that races with a
//     read by a further warp also races with a read in `reader` or `other`. In a block with named barriers or
//     synchronisation through memory, a write can race with a further warp's read, but with no read in `reader` and
//     `other`. The shadow cells of a block with named barriers or synchronisation through memory therefore also have a
//     list `more` of up to SHADOW_READERS further plain reads of the word. Of the reads in the list `more`, none is
//     ordered before another. If the list `more` of a shadow cell is full, a new read is not recorded in the cell, so a
//     race with the new read can be missed.
//   - Within a warp, a mask holds every lane that read the word. Where the lanes of a warp may be ordered individually,
//     the shadow cell also keeps the stamp of each lane's read (`wide`).
// Of several strong accesses to a word that are unordered among each other, a shadow cell keeps only the latest. While
// an asynchronous copy to a word is in flight, the write stamp in the word's shadow cell is SHADOW_IN_FLIGHT. An
// asynchronous copy is in flight until it counts as completed, for example after a wait (copies.h). If an access
// narrower than a word falls on a word, the word's shadow cell is split into four shadow cells of one byte.
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
// unordered volatile accesses by lanes of one warp are therefore a race if at least one of the accesses is a write that
// changes the word. A race between two volatile accesses is called a volatile race. A flag is a word that a thread
// polls or tests to learn what another thread has done (lower/flag.c finds flags). A volatile race, that is, a race
// between two volatile accesses, is reported only if the kernel uses no word of shared memory as a flag. In a kernel
// without flags in shared memory, no value from a volatile read decides which code a lane executes, and no access to
// shared memory is atomic. In a kernel without flags in shared memory, no lane polls a shared word or retries an
// operation, so a reader uses any value that the word happens to hold. In a kernel with flags in shared memory (words
// that a thread polls or tests), two volatile accesses never count as a race, but all other rules of this file apply. A
// lane may correctly signal another lane by a volatile flag in shared memory, without a fence if the data that the flag
// announces is also volatile. A kernel may also read a flag in shared memory merely for its value, without relying on
// any order. A volatile store of the value that is already in memory does not race with volatile reads, because every
// reader sees the same value.
//
// Of the volatile reads of a word, its shadow cell normally holds only the latest. If the lane that wrote the word last
// reads the word back, its read does not replace another lane's read that is not ordered before it. Keeping another
// lane's read lets the race check detect a race between this read and the next write by the lane that wrote the word
// last. The search for volatile races can miss a race, but never reports a false race.
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
// (clock value of an access) of 0 means that no access is recorded. The array `reader` holds STAMP_WARP_ACCESS words
// (stamp.h). The arrays `writer`, `other`, `strong_writer` and `strong_reader` hold STAMP_ACCESS words (stamp.h).
struct shadow_cells {
    uint32_t *write_stamp, *writer;
    uint32_t *read_stamp, *reader, *read_lanes;
    uint32_t *other_stamp, *other;                // a reader in a warp other than that of `reader`
    uint32_t *strong_write_stamp, *strong_writer; // NULL until the first strong access
    uint32_t *strong_read_stamp, *strong_reader;
    struct shadow_lane_stamps **wide; // NULL until lanes of a warp are ordered individually
    struct shadow_readers **more;     // NULL until a cell needs a third reader (cell.c, record_more)
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

// Checks and records one lane's read of a->bytes bytes at offset `at` of the shared window, and reports races. Returns
// the undefined bits of the value that the lane reads. If `at_once` is 1, a read of bytes that were never written is
// reported immediately, and the function then returns 0.
uint64_t shadow_read(struct sim_warp *, const struct sim_access *, uint32_t lane, uint32_t at, int at_once);
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
