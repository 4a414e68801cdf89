// Tracks release/acquire synchronisation, which orders threads through accesses to memory and without a barrier. One
// thread writes data, and then a flag with a strong write. Another thread reads the flag with a strong read, and then
// the data.
//
// Theory of operation. Strong accesses are atomics and volatile, relaxed, acquire and release accesses. Only strong
// accesses synchronise. As an exception, three kinds of weak loads count as strong. Correct code polls with these weak
// loads. Correct code also uses these weak loads to read the value that a compare-and-swap then checks. ld.cv counts as
// volatile. ld.cg and the load before a compare-and-swap (lower/cas_seed.c) count as relaxed. In a race with a plain
// store, each of these three kinds of loads counts as weak.
//
// In the following rules, a thread knows an access if the access is ordered before the thread's current access.
//   Fence by t           All accesses that t knows become *fenced*: t may publish these accesses.
//   Strong write by t    The write publishes, at its location, the accesses that t has fenced. A write with .release
//                        publishes all accesses that t knows. A read-modify-write adds to the accesses published at the
//                        location (a release sequence). A plain strong store replaces them. A compare-and-swap that
//                        fails writes nothing.
//   Strong read by t     t knows the accesses that are published at the location. An atomic, volatile or acquiring read
//                        has this effect at once. A relaxed load has this effect at the next fence of t.
//   Barrier, __syncwarp  Each participating thread knows, and may publish, all accesses that any participating thread
//                        knows or may publish. So the following sequence synchronises too: all threads write, all
//                        threads fence, a barrier, one thread sets the flag.
// A write without a fence or .release publishes nothing at the location. A reader's accesses to the data are then not
// ordered after the writer's accesses. So a missing __threadfence() leads to a race report. Scope: If a fence or a
// strong access has block scope, only threads of the same block learn the published accesses. Locations are words. A
// strong store to a part of a word adds to the accesses published at the word, because the other parts may be other
// flags. A weak store does not clear a location. So a strong read may learn too much. A race can then be missed, but no
// false race is reported.
//
// Findings hold for the order of this run. Consider a sequence lock over plain data, where a writer changes the data
// while readers read. Only readers that run before the writer's next update race with the writer. A later reader is
// ordered after the writer by the sequence number that the reader loads. Therefore each case is judged in several
// orders. In two of these orders, lanes have jitter, and blocks take turns of a few instructions (grid.c).
//
// Cost. A block allocates struct sync_state at its first fence, its first release, or its first strong read of
// published accesses. From then on, each thread of the block has three references to vector clocks. Barriers join these
// clocks, and fences make new clocks. Locations in shared memory belong to the block. Locations in global memory belong
// to the launch, and exist only while one host thread runs all blocks (sim_memory.serial). Blocks run in parallel only
// if no kernel reads such a location.
#ifndef SIM_HAZARD_SYNC_H
#define SIM_HAZARD_SYNC_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/hazard/vector_clock.h"

// A table of memory locations and the vector clocks that strong writes published there.
struct sync_locations;
// Returns an empty table. The caller frees the table with sync_locations_free().
struct sync_locations *sync_locations_new(void);
void sync_locations_free(struct sync_locations *);

// Accesses that the threads of a block know or may publish, in addition to those that the clock of the block's shadow
// implies (shadow.h).
struct sync_state {
    uint32_t threads;
    struct vector_clock **known;     // [threads]: accesses that each thread knows
    struct vector_clock **fenced[2]; // [SYNC_BLOCK or SYNC_GRID][threads]: accesses that each thread may publish
    struct vector_clock **relaxed;   // [threads]: learned from relaxed loads; effective at the thread's next fence
    struct sync_last_read {
        uint64_t place;
        uint32_t version;
    } * seen; // [threads]: the latest location read and its version; skips repeated reads in a polling loop
    struct sync_locations *places;
    struct vector_clock_draft draft;
};
enum { SYNC_BLOCK, SYNC_GRID }; // clocks for readers in the same block; clocks for all readers

// Returns the state for a block of `threads` threads. The caller frees the state with sync_free().
struct sync_state *sync_new(uint32_t threads);
void sync_free(struct sync_state *);
void sync_begin(struct sync_state *); // clears the state for a new block
// Adds the accesses that the threads in `from` know, or may publish, to those of the threads in `to`. `from` and `to`
// hold a mask of lanes for each warp.
void sync_join(struct sync_state *, const uint32_t from[BLOCK_WARPS_MAX], const uint32_t to[BLOCK_WARPS_MAX]);

// Adds the accesses that the threads of a warp know or may publish to `one`, the state of a single thread.
// sync_scatter() adds the accesses in `one` to the state of each thread of a warp.
void sync_gather(struct sync_state *one, const struct sync_state *, uint32_t warp);
void sync_scatter(struct sync_state *, uint32_t warp, const struct sync_state *one);

// Records that the lanes in `mask` execute a fence. `scope`: enum ptx_scope.
void sync_fence(struct sim_warp *, uint32_t mask, uint32_t scope);
// Makes the earlier relaxed loads of the lanes in `mask` effective, as a fence does. The lanes are then ordered after
// the writes whose values these loads returned.
void sync_acquire(struct sim_warp *, uint32_t mask);

// Records one lane's strong read or write of `at`, an offset in the shared window or a global address. For a
// read-modify-write, call sync_read() first and sync_write() second. Both functions ignore weak accesses.
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
