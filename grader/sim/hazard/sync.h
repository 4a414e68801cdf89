// Release/acquire synchronisation: the order between threads that memory itself makes, without a barrier. One thread
// writes data, and then a flag with a strong write. Another thread reads the flag with a strong read, and then the
// data.
//
// Theory of operation. Strong accesses are atomics and volatile, relaxed, acquire and release accesses. Only strong
// accesses synchronise. Three kinds of weak loads count as strong, because correct code polls with them, or loads with
// them the value that a compare-and-swap then checks. ld.cv counts as volatile; ld.cg and the load before a
// compare-and-swap (lower/cas_seed.c) count as relaxed. In a race with a plain store they still are plain loads.
//   Fence by t             What t knows now, its own accesses included, becomes *fenced*: t may publish it.
//   Strong write by t      Leaves at its location what t has fenced; with .release, all that t knows. A
//                          read-modify-write adds to what the location holds (a release sequence). A plain strong
//                          store replaces it. A compare-and-swap that fails writes nothing.
//   Strong read by t       t knows what the location holds. An atomic, volatile or acquiring read has this effect at
//                          once, a relaxed load at the next fence of t.
//   Barrier, __syncwarp    Each thread that takes part knows, and may publish, what any of them did. So this sequence
//                          synchronises too: all threads write, all fence, barrier, one thread sets the flag.
// Without a fence or .release, a write leaves nothing at the location. Then the reader's accesses to the data are
// unordered. A missing __threadfence() shows in this way.
// Scope: if a fence or a strong access has block scope, only threads of the same block read what it publishes.
// Locations are words. A strong store to a part of a word adds to what the word holds, because other parts may be other
// flags. A weak store does not clear a location. So a strong read may learn too much: a race can be missed, but none is
// reported that does not exist.
//
// Findings hold for the order of this run. Consider readers of data that a writer changes meanwhile, as in a sequence
// lock over plain data. Only readers that run before the writer's next turn race with the writer; a later reader is
// ordered by the sequence number that it reads. Therefore each case is judged in several orders. In two of them lanes
// have jitter, and blocks have turns of a few instructions (grid.c).
//
// Cost. A block has no such state before its first fence, its first release, or its first strong read of what another
// thread published. From then on, each thread has three references to vector clocks. Barriers join these clocks, and
// fences make new ones.
// Locations in shared memory belong to the block, those in global memory to the launch. The latter exist only while one
// host thread runs all blocks (sim_memory.serial): blocks run in parallel only if no kernel reads such a location.
#ifndef SIM_HAZARD_SYNC_H
#define SIM_HAZARD_SYNC_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/hazard/vector_clock.h"

// Memory locations, with what strong writes left there.
struct sync_locations;
struct sync_locations *sync_locations_new(void);
void sync_locations_free(struct sync_locations *);

// What the threads of a block know in addition to the clock of the block's shadow (shadow.h).
struct sync_state {
    uint32_t threads;
    struct vector_clock **known;     // [threads]
    struct vector_clock **fenced[2]; // [HANDOVER_…][threads]
    struct vector_clock **relaxed;   // [threads]: read by relaxed loads; each thread knows it after its next fence
    struct sync_last_read {
        uint64_t place;
        uint32_t version;
    } * seen; // [threads]: the latest read, so that polling in a loop costs little
    struct sync_locations *places;
    struct vector_clock_draft draft;
};
enum { SYNC_BLOCK, SYNC_GRID }; // what readers in the same block learn; what all readers learn

// Returns the state for a block of `threads` threads. The caller frees it with sync_free.
struct sync_state *sync_new(uint32_t threads);
void sync_free(struct sync_state *);
void sync_begin(struct sync_state *); // clears the state for a new block
// Lets the threads in `to` know what the threads in `from` know, and publish what these may publish. Both are masks of
// lanes for each warp.
void sync_join(struct sync_state *, const uint32_t from[BLOCK_WARPS_MAX], const uint32_t to[BLOCK_WARPS_MAX]);

// Adds what the threads of a warp know to `one`, the state of a single thread; sync_scatter adds in the other
// direction.
void sync_gather(struct sync_state *one, const struct sync_state *, uint32_t warp);
void sync_scatter(struct sync_state *, uint32_t warp, const struct sync_state *one);

// Records that the lanes in `mask` execute a fence of that scope (enum ptx_scope).
void sync_fence(struct sim_warp *, uint32_t mask, uint32_t scope);
// Orders the lanes after the writes whose values they read by relaxed loads up to now, as a fence does.
void sync_acquire(struct sim_warp *, uint32_t mask);

// Records one lane's strong read or write of `at`, an offset in the shared window or a global address. Of a
// read-modify-write, the read comes first. Both functions ignore weak accesses.
void sync_read(struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane, uint64_t at);
void sync_write(struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane, uint64_t at);

// Returns 1 if the access is strong.
static inline int sync_is_strong(const struct sim_access *a)
{
    return a->kind == ACCESS_ATOMIC || a->sem >= PTX_VOLATILE;
}
// Returns 1 if the access synchronises only with threads of its own block.
static inline int sync_is_block_scoped(const struct sim_access *a)
{
    return a->scope == PTX_CTA;
}

#endif
