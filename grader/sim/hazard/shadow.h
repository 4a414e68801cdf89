// Who touched which word of a block's shared memory, and when: finds races and reads of what was never written.
//
// Theory of operation. A race is two accesses to one byte by two threads, at least one of them a write, not both
// atomic (or otherwise strong), with neither ordered before the other. What orders is the memory model of independent
// thread scheduling, not the lockstep in which the simulator happens to run a warp:
//   program order of one thread · a barrier of the whole block · a named barrier among the warps that met at it ·
//   __syncwarp among the lanes of its mask · a hand-over through memory (sync.h) · and what follows from these by
//   transitivity.
// Shuffles, votes, and fences alone, order nothing.
//
// Clocks. A block runs on one host thread, so its synchronisations have a sequence, and `clock` numbers them: it
// advances at each. Every access is stamped with the clock. What thread t knows of thread u is one number: all accesses
// of u up to that stamp are ordered before whatever t does now. Because barriers treat many threads alike, that number
// is the largest of
//   floor              set by a barrier of the whole block, for every pair of threads;
//   warp_floor[w]      set by a __syncwarp of all lanes of w, for pairs within w;
//   lane_known[w]      32 × 32 numbers, joined over the mask by a __syncwarp of some lanes; exists from the first on;
//   warp_known         32 × 32 numbers for pairs of warps, joined by named barriers; exists from the first on.
//   sync           vectors of single threads; exists from the first fence or release on.
// In a kernel that has only __syncthreads, all of this is one comparison with `floor`.
// Who only arrives at a named barrier is known up to its arrival, not to the barrier's end.
//
// Cells. A word remembers its last plain write; of its plain readers since, the lanes of one warp (all of them, with
// the stamp of the latest) and one thread of another warp; and its last strong write and strong read. That is enough:
//   - a write that is ordered after an older access makes the older one redundant (whoever races with the older one
//     races with the newer one too), so one write, and no readers from before it, need be kept;
//   - a later writer in warp w races with a reader of some other warp if and only if it races with one of two kept
//     readers from different warps, as long as only barriers of the whole block order different warps. With named
//     barriers or hand-overs, up to SHADOW_READERS further readers are kept that know nothing of each other (`more`);
//     if there are still more, a race can be missed, never invented;
//   - within a warp every reading lane is kept in a mask. Where lanes may be ordered apart, each lane's own stamp is
//     kept beside it (`wide`).
// Of several strong accesses that are unordered among themselves the last stands for all.
// The place that an asynchronous copy will write is marked until the copy is waited for: copies.h.
// A word on which narrower accesses fall is split into four cells of a byte.
//
// No false alarm. A report is made only when the stamp kept for the other access exceeds what this thread knows of the
// other one. The stamp is that access's own, or, for a mask of lanes, that of the latest lane of it while no
// synchronisation inside the warp came between them. What a thread knows is never too small: each rule above enters
// the clock at the moment of the synchronisation, and joins what the partners knew. So the two accesses are unordered
// in this execution, and with barriers alone in every one that takes the same branches: the verdict does not depend on
// the schedule.
// Atomics: the last strong access stands for all before it, because accesses to one place by atomics have an order of
// their own (coherence), which also makes "the last to arrive reads the plain sum" no race.
//
// Volatile data. Volatile accesses are strong, and yet no lane waits for another: a tree inside a warp on volatile
// sums, with no __syncwarp() between its steps, is right by luck. So two volatile accesses by lanes of one warp, one a
// write that changes the word, neither ordered before the other, are a race where the kernel has no flags in shared
// memory (lower/flag.c): nothing that is read volatile there ever decides what a lane executes, nothing is atomic. Then
// nobody polls, waits, takes turns or tries again, and whoever reads the word uses what happens to be there. A kernel
// that has flags may have ordered its lanes by them, without a fence where all that they hand over is volatile too, and
// may look at a flag for what it is worth: there two volatile accesses are never a race, though the accesses to
// everything else are as ever. A store of what is there already is no write: whoever is first, all read the same. When
// the lane that wrote the word reads it back, an earlier reader is kept that its next write does not know of. Again a
// race can be missed, never invented.
//
// Never written. A word's write stamp older than the block's birth says so; stores of values that are themselves
// undefined in part leave the word split, with those bits noted. Memory itself is zero when a block begins.
#ifndef SIM_HAZARD_SHADOW_H
#define SIM_HAZARD_SHADOW_H

#include <stdint.h>

#include "sim/core/access.h"

#define SHADOW_SPLIT 0xffffffffu     // write_stamp of a word whose bytes have cells of their own
#define SHADOW_IN_FLIGHT 0xfffffffeu // write_stamp of a place that an asynchronous copy has not reached yet
enum { SHADOW_OPS = (1 << 22) - 1, SHADOW_BARRIERS = 16 }; // ops that a cell can name; those beyond are "somewhere"

// A stamp of 0 means never. `writer`, `other` and the strong ones are STAMP_ACCESS words, `reader` is a
// STAMP_WARP_ACCESS word (stamp.h).
struct sync_state;     // sync.h
struct shadow_copies;  // copies.h
struct shadow_arrival; // shadow.c

struct shadow_cells {
    uint32_t *write_stamp, *writer;
    uint32_t *read_stamp, *reader, *read_lanes;
    uint32_t *other_stamp, *other;                // a reading thread of another warp
    uint32_t *strong_write_stamp, *strong_writer; // NULL until the first strong access
    uint32_t *strong_read_stamp, *strong_reader;
    struct shadow_lane_stamps **wide; // NULL until lanes of a warp were ordered apart
    struct shadow_readers **more;     // NULL until a third reader came while warps were ordered apart
    uint32_t count;
};

struct sim_shadow {
    uint32_t checks;
    uint32_t words;
    uint64_t block; // the one that runs: its index in the grid
    uint32_t clock, first_stamp, floor;
    uint32_t strong; // stamp of the latest strong access
    uint32_t splits; // words that were split since the last reset
    uint32_t warp_floor[BLOCK_WARPS_MAX];
    uint32_t lanes_apart; // bit w: lane_known[w] is in use
    uint32_t (*lane_known[BLOCK_WARPS_MAX])[WARP_LANES];
    uint32_t (*warp_known)[BLOCK_WARPS_MAX];
    uint32_t warps_apart; // 1: warp_known is in use
    uint32_t warps;
    struct sync_state *sync;        // NULL until memory itself orders threads of this block
    struct sync_state *idle_sync;   // kept for the next block
    struct shadow_arrival *arrival; // [SHADOW_BARRIERS]: NULL until the first bar.arrive
    struct shadow_copies *copies;   // NULL until the first asynchronous copy
    struct shadow_cells word, byte; // byte: [4 * words], arrays NULL until the first split
    uint8_t *undefined;             // [4 * words]: bits of a byte stored undefined; of split words only
};

// For launches with CHECK_RACES or CHECK_WRITTEN; NULL otherwise. Without shared memory it is a clock alone. Owned by
// the caller; one for each block that runs at a time.
struct sim_shadow *shadow_new(const struct sim_launch *);
void shadow_free(struct sim_shadow *);

// The block of that index in the grid begins: nothing is written yet.
void shadow_begin(struct sim_shadow *, uint64_t block);
// Bytes that were never written count as written from now on.
void shadow_mark_written(struct sim_shadow *, uint32_t at, uint32_t bytes);
// All threads of the block met: what each did is ordered before what any does from now on.
void shadow_barrier(struct sim_shadow *);
// Records that the lanes in `mask` of a warp met at a __syncwarp().
void shadow_warp_barrier(struct sim_warp *, uint32_t mask);
// Records that a warp arrived at named barrier `id` and did not wait there (bar.arrive).
void shadow_named_arrive(struct sim_block *, uint32_t id, uint32_t warp);
// Records that named barrier `id` was completed by some of the block's threads. The warps in the mask `waited` are
// ordered after each other, and after what the arriving warps had done when they arrived.
void shadow_named_barrier(struct sim_block *, uint32_t id, uint32_t waited);

// 1 when what `thread` of this block did up to `stamp` is ordered before what this lane does now.
int shadow_knows(const struct sim_shadow *, uint32_t warp, uint32_t lane, uint32_t thread, uint32_t stamp);
// From now on this block's threads may be ordered by memory (sync.h).
void shadow_start_sync(struct sim_shadow *);

// One lane's access to shared memory, all checks: reports, records, and for reads returns the bits that are undefined.
// `bytes` 1 … 8 at `at`, an offset in the window. `at_once`: reads of what was never written are reported here.
uint64_t shadow_read(struct sim_warp *, const struct sim_access *, uint32_t lane, uint32_t at, int at_once);
// `fresh`: the bytes about to be stored, while memory still holds the old ones.
void shadow_write(struct sim_warp *, const struct sim_access *, uint32_t lane, uint32_t at, const void *fresh,
                  uint64_t undefined);
// 1 when some byte of the word that holds `at` was written.
int shadow_is_touched(const struct sim_shadow *, uint32_t at);
void shadow_atomic(struct sim_warp *, const struct sim_access *, uint32_t lane, uint32_t at);

#endif
