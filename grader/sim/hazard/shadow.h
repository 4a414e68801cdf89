// Finds races and reads of uninitialised memory in the shared memory of a block. A block's shadow records which threads
// accessed each word of shared memory, and when.
//
// Theory of operation. A race is two accesses to one byte by two threads. At least one of the two accesses of a race is
// a write. The two accesses of a race are not both strong (atomic, volatile or the like), and neither is ordered before
// the other. The memory model of independent thread scheduling (since Volta) defines which accesses are ordered. The
// simulator runs the lanes of a warp in lockstep, but this lockstep orders no accesses. Each of the following orders
// two accesses of different threads or of one thread:
//   - program order of one thread;
//   - a barrier of the whole block;
//   - a named barrier, among the warps that took part;
//   - __syncwarp, among the lanes of its mask;
//   - synchronisation through memory (sync.h);
//   - chains of these, because the order is transitive.
// Shuffles, votes and fences alone order no accesses.
//
// Clocks. The simulator runs a block on one host thread, so the synchronisations of a block take place one after
// another. The field `clock` advances by one at each synchronisation of the block. Every access is stamped with the
// current value of `clock`. For two threads t and u, one stamp is enough: all accesses of u up to this stamp are
// ordered before the current access of t. Barriers treat many threads alike, so the stamp up to which t knows the
// accesses of u is the largest of the following:
//   floor            set by a barrier of the whole block, for every pair of threads;
//   warp_floor[w]    set by a __syncwarp of all lanes of warp w, for pairs of threads in w;
//   lane_known[w]    32 × 32 numbers, joined by a __syncwarp of some lanes; exists after the first such __syncwarp;
//   warp_known       32 × 32 numbers for pairs of warps, joined by named barriers; exists after the first named
//                    barrier;
//   sync             vector clocks of single threads; exist after the first fence or release.
// In a kernel with __syncthreads() alone, the check of one access is a single comparison with `floor`. If a warp only
// arrives at a named barrier (bar.arrive), the warps that wait there are ordered after the arriving warp's earlier
// accesses. The warps that wait at the named barrier are not ordered after the later accesses of the arriving warp.
//
// Cells. Every word of shared memory has a cell, which holds the latest plain write to the word. A cell also holds two
// plain readers of its word since the latest plain write. The first of a cell's two plain readers is a mask of lanes of
// one warp, with the stamp of the latest read. The second of a cell's two plain readers is one thread of another warp.
// A cell further holds the latest strong write and the latest strong read of its word. A cell needs to keep no further
// accesses, for the following reasons:
//   - If a write is ordered after an older access, the older access need not be kept. An access that races with the
//     older access also races with the write. Therefore a cell keeps one write, and no readers from before that write.
//   - Suppose that only barriers of the whole block order different warps. A later writer in warp w then races with a
//     reader of another warp if and only if the writer races with one of the two kept readers. With named barriers or
//     synchronisation through memory, the cell keeps up to SHADOW_READERS further readers that are unordered among each
//     other (`more`). If a word has more than SHADOW_READERS further readers, a race can be missed, but no false race
//     is reported.
//   - Within a warp, a mask holds every lane that read. Where lanes may be ordered individually, the cell also keeps
//     the stamp of each lane (`wide`).
// Of several strong accesses that are unordered among each other, the cell keeps only the latest. An asynchronous copy
// marks the words that the copy will write. The mark of an asynchronous copy stays until a thread has waited for the
// copy (copies.h). If an access narrower than a word falls on a word, the word's cell is split into four cells of one
// byte.
//
// No false alarms. A race between threads t and u is reported only if the stamp of u's access exceeds the stamp up to
// which t knows the accesses of u. Each stamp in a cell is the value of `clock` at the time of the recorded access. A
// mask of lanes has one stamp, that of the latest read, if no synchronisation inside the warp came between the reads.
// The shadow never misses that an access is ordered: at each synchronisation, it records the clock and joins what all
// participants know. So the two accesses of a reported race are unordered in the simulated execution. If a kernel
// synchronises with barriers alone, the two accesses of a reported race are unordered in every execution that takes the
// same branches. So the verdict on a kernel with barriers alone does not depend on the schedule. For atomics, it is
// enough that a cell keeps only the latest strong access, because atomic accesses to one location have an order of
// their own (coherence). The coherence order of an atomic counter also lets a kernel's last block read plain partial
// sums without a race, if the writers execute a fence first (sync.h).
//
// Volatile data. Volatile accesses are strong, but a volatile access makes no lane wait for another lane. The result of
// a reduction inside a warp on volatile sums without __syncwarp() between its steps is right only by luck. So two
// unordered volatile accesses by lanes of one warp are a race if at least one of the accesses is a write that changes
// the word. The rule for volatile accesses applies only to kernels without flags in shared memory (lower/flag.c). In a
// kernel without flags, no value from a volatile read decides which code a lane executes, and no access to shared
// memory is atomic. So in a kernel without flags, no lane polls or retries, and a reader uses any value that the word
// happens to hold. A kernel with flags may order its lanes by the flags, without a fence if the data is volatile too. A
// kernel may also read a flag merely for its value, without relying on any order. In kernels with flags, two volatile
// accesses are therefore never a race, but all other rules of this file apply. In the rule for volatile accesses, a
// store of the value that is already in memory does not count as a write, because every reader sees the same value. If
// the lane that wrote a volatile word reads it back, the cell keeps its earlier reader and does not record the read.
// The cell keeps the earlier reader because the writing lane's next write is not ordered after that reader. The rule
// for volatile accesses can miss a race, but never reports a false race.
//
// Uninitialised memory. If the write stamp of a word is below `first_stamp`, the word was never written in this block.
// A store of a value with undefined bits splits the word's cell into byte cells and records the undefined bits. The
// simulator fills a block's shared memory with zeros when the block begins.
#ifndef SIM_HAZARD_SHADOW_H
#define SIM_HAZARD_SHADOW_H

#include <stdint.h>

#include "sim/core/access.h"

#define SHADOW_SPLIT 0xffffffffu     // write_stamp of a word whose bytes have their own cells
#define SHADOW_IN_FLIGHT 0xfffffffeu // write_stamp of a word that an asynchronous copy will write
// SHADOW_OPS is the number of ops whose index fits into a cell. If a recorded access belongs to an op with the index
// SHADOW_OPS or more, a race report has no source line for that access. SHADOW_BARRIERS is the number of named barriers
// of a block.
enum { SHADOW_OPS = (1 << 22) - 1, SHADOW_BARRIERS = 16 };

// In struct shadow_cells, a stamp of 0 means that no access is recorded. The array `reader` holds STAMP_WARP_ACCESS
// words (stamp.h). The arrays `writer`, `other`, `strong_writer` and `strong_reader` hold STAMP_ACCESS words (stamp.h).
struct sync_state;     // sync.h
struct shadow_copies;  // copies.h
struct shadow_arrival; // shadow.c

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

// Returns a shadow (the access records of a block's shared memory), which serves the blocks of the launch one at a
// time. Returns NULL if the launch asks for neither CHECK_RACES nor CHECK_WRITTEN. If the kernel has no shared memory,
// the shadow has a clock but no cells. The caller frees the shadow with shadow_free().
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
// Records that the warps in the mask `waited` completed named barrier `id`. A named barrier orders the earlier accesses
// of the warps in `waited` before the later accesses of these warps. A named barrier also orders what other warps
// accessed before they arrived there (bar.arrive) before the later accesses of the warps in `waited`.
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
