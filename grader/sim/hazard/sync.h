// Tracks release/acquire synchronisation, which orders threads through accesses to memory without a barrier. In a
// typical example, thread A writes data and then sets a flag with a strong write; thread B reads the flag with a strong
// read, and then the data.
//
// Theory of operation. Strong accesses are atomics and volatile, relaxed, acquire and release accesses. Only strong
// accesses synchronise. As an exception, three kinds of weak loads count as strong: ld.cv, ld.cg and the load before a
// compare-and-swap. Each of these weak loads counts as strong because correct code polls with it, or uses it to read
// the value that a compare-and-swap then checks. The load ld.cv counts as volatile. The load ld.cg and the load before
// a compare-and-swap (lower/cas_seed.c) count as relaxed. In a race with a plain store, ld.cv, ld.cg and the load
// before a compare-and-swap count as weak.
//
// In the following rules, a thread knows an access if the access is ordered before the thread's current access.
//   Fence by t           All accesses that t knows become *fenced*: t may publish these accesses.
//   Strong write by t    A strong write publishes, at its location, the accesses that its thread t has fenced. A strong
//                        write with .release publishes all accesses that its thread knows. A read-modify-write adds to
//                        the accesses published at the location (a release sequence). A strong store replaces the
//                        accesses published at its location. A compare-and-swap that fails writes nothing, so it
//                        publishes nothing.
//   Strong read by t     After a strong read, its thread t knows the accesses that are published at the location. An
//                        atomic, volatile or acquiring read makes the published accesses known at once. A relaxed load
//                        makes the published accesses known at the thread's next fence.
//   Barrier, __syncwarp  Each participating thread knows, and may publish, all accesses that any participating thread
//                        knows or may publish. So this sequence in a block also synchronises with a reader of the flag:
//                        all threads write, all threads fence, a barrier, one thread sets the flag.
// A strong write with neither a fence before it nor .release publishes nothing at its location. If the writer of a flag
// executes no fence, a reader's accesses to the data are not ordered after the writer's accesses. So a missing
// __threadfence() leads to a race report. Scope: If a fence or a strong access has block scope, only threads of the
// same block learn the published accesses. Locations are words. A strong store to a part of a word adds to the accesses
// published at the word, because the other parts may be other flags. A weak store does not remove the accesses
// published at its location. Therefore a strong read may make its thread know more accesses than the memory model
// grants. Because a weak store removes nothing, a race can be missed, but no false race is reported.
//
// Races found through release/acquire synchronisation hold only for the order of accesses in the simulated run. A
// sequence lock over plain data, where a writer changes the data while readers read, is an example of races that depend
// on the order. With a sequence lock, only readers that run before the writer's next update race with the writer. A
// reader of a sequence lock that runs after the writer is ordered after it by the sequence number that the reader
// loads. Because races can depend on the order of accesses, the simulator runs each test case of a lab in several
// orders. In two of the simulated orders, some lanes of a warp run ahead at random (lane jitter), and blocks take turns
// of a few instructions (grid.c).
//
// Cost. A block allocates struct sync_state at its first fence, its first release, or its first strong read of
// published accesses. Once a block has a struct sync_state, each thread of the block has four references to vector
// clocks. Barriers join the vector clocks of the threads, and fences make new vector clocks. The table of shared-memory
// locations with published clocks belongs to the block. The table of global-memory locations with published clocks
// belongs to the launch, and exists only while one host thread runs all blocks (sim_memory.serial). Blocks run in
// parallel only if no thread reads a location in global memory to synchronise.
#ifndef SIM_HAZARD_SYNC_H
#define SIM_HAZARD_SYNC_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/hazard/vector_clock.h"

// Holds a table of memory locations and the vector clocks that strong writes published at these locations.
struct sync_locations;
// Returns an empty table. The caller must free the table with sync_locations_free().
struct sync_locations *sync_locations_new(void);
void sync_locations_free(struct sync_locations *);

// Holds the accesses that the threads of a block know or may publish, beyond those that the clock of the block's shadow
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
    struct sync_last_join {
        struct vector_clock *first, *second, *joined;
    } last; // the latest join of a published clock into a lane's clock
    struct sync_locations *places;
};
enum { SYNC_BLOCK, SYNC_GRID }; // clocks for readers in the same block; clocks for all readers

// Returns an empty synchronisation state for a block of `threads` threads. The caller must free the state with
// sync_free().
struct sync_state *sync_new(uint32_t threads);
void sync_free(struct sync_state *);
void sync_begin(struct sync_state *); // clears the state for a new block
// Adds the accesses that the threads in `from` know, or may publish, to those that the threads in `to` know or may
// publish. The arrays `from` and `to` hold a mask of lanes for each warp.
void sync_join(struct sync_state *, const uint32_t from[BLOCK_WARPS_MAX], const uint32_t to[BLOCK_WARPS_MAX]);

// Adds the accesses that the threads of a warp know or may publish to `one`, the state of a single thread. The function
// sync_scatter() adds the accesses in `one` to the state of each thread of a warp.
void sync_gather(struct sync_state *one, const struct sync_state *, uint32_t warp);
void sync_scatter(struct sync_state *, uint32_t warp, const struct sync_state *one);

// Records that the lanes in `mask` execute a fence. `scope`: enum ptx_scope.
void sync_fence(struct sim_warp *, uint32_t mask, uint32_t scope);
// Turns the earlier relaxed loads of the lanes in `mask` into acquires, as a fence does. The lanes in `mask` are then
// ordered after the writes whose values their relaxed loads returned.
void sync_acquire(struct sim_warp *, uint32_t mask);

// Records one lane's strong read or write of `at`, an offset in the shared window or a global address. For a
// read-modify-write, call sync_read() first and sync_write() second. The functions sync_read() and sync_write() ignore
// weak accesses.
void sync_read(struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane, uint64_t at);
void sync_write(struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane, uint64_t at);

// Returns 1 if the memory access is strong.
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
