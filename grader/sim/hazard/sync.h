// Hand-overs: order between threads that comes not from a barrier but from memory itself. One thread writes data and
// then, strongly, a flag; another reads the flag strongly and then the data.
//
// Theory of operation. "Strong" are atomics, volatile, relaxed, acquire and release accesses; only these hand over.
// Three weak loads count as strong, since correct code polls or guesses with them: ld.cv as volatile, ld.cg and the
// load whose value a compare-and-swap checks (lower/cas_seed.c) as relaxed. Against plain stores they race as any load.
//   Fence by t             what t knows now (its own accesses up to now included) is *fenced*: t may publish it.
//   Strong write by t      leaves at its place what t has fenced, with .release all that t knows. A read-modify-write
//                          adds it to what lies there (the release sequence goes on), a plain strong store replaces it.
//                          A compare-and-swap that fails writes nothing.
//   Strong read by t       t knows what lies at the place: at once when the read is an atomic, volatile or acquiring;
//                          of a relaxed load with t's next fence.
//   Barrier, __syncwarp    those who meet know, and may publish, what any of them did. So "all write, all fence,
//                          barrier, one raises the flag" is a hand-over too.
// Without a fence (or .release) nothing is left at the place, and what the reader then does to the data is found to be
// unordered: that is how a missing __threadfence() shows.
// Scope: what was fenced for the block only (membar.cta), or left by an access of block scope, is seen by readers of
// the same block alone.
// Places are words. A strong store of a part of a word adds to what lies there, since other parts may be other flags; a
// weak store to a place does not clear it. So a strong read may learn more than it should: a race could be missed,
// never invented.
//
// What is found holds for the order of this run. Data that readers look at while a writer may be at it (a sequence lock
// over plain data) is a race with those readers alone that come before the writer's next turn: who comes after the last
// one is ordered by the number that he reads. So cases are judged in several orders, in two of which lanes stray, and
// blocks have turns of a few instructions (grid.c).
//
// Cost. Nothing of this exists in a block before its first fence, release, or strong read of what another published.
// Then each thread has three references to vectors, which barriers join; vectors are made at fences.
// Places in shared memory belong to the block. Those in global memory belong to the launch; they are kept only while
// one host thread runs all blocks (sim_memory.serial): side by side blocks run only where no kernel looks at a place.
#ifndef SIM_HAZARD_SYNC_H
#define SIM_HAZARD_SYNC_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/hazard/vector_clock.h"

// Places with what lies there.
struct sync_locations;
struct sync_locations *sync_locations_new(void);
void sync_locations_free(struct sync_locations *);

// What the threads of a block know besides what the block's clock says (shadow.h).
struct sync_state {
    uint32_t threads;
    struct vector_clock **known;     // [threads]
    struct vector_clock **fenced[2]; // [HANDOVER_…][threads]
    struct vector_clock **relaxed;   // [threads]: read by relaxed loads; known from the next fence on
    struct sync_last_read {
        uint64_t place;
        uint32_t version;
    } * seen; // [threads]: what was read last, so that waiting in a loop costs little
    struct sync_locations *places;
    struct vector_clock_draft draft;
};
enum { SYNC_BLOCK, SYNC_GRID }; // for readers of the block; for all readers

struct sync_state *sync_new(uint32_t threads);
void sync_free(struct sync_state *);
void sync_begin(struct sync_state *); // of a fresh block
// Threads named in `to` (lanes of each warp) learn what those in `from` know, and may publish what those may.
void sync_join(struct sync_state *, const uint32_t from[BLOCK_WARPS_MAX], const uint32_t to[BLOCK_WARPS_MAX]);

// `one` (of a single thread) also gets what the threads of a warp know; and back.
void sync_gather(struct sync_state *one, const struct sync_state *, uint32_t warp);
void sync_scatter(struct sync_state *, uint32_t warp, const struct sync_state *one);

// Lanes execute a fence of that scope (enum ptx_scope).
void sync_fence(struct sim_warp *, uint32_t mask, uint32_t scope);
// Orders the lanes after the writes whose values they read by relaxed loads up to now, as a fence does.
void sync_acquire(struct sim_warp *, uint32_t mask);

// One lane's strong access at `at`, an offset in the shared window or a global address. For read-modify-writes first
// the one, then the other. Both do nothing for weak accesses.
void sync_read(struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane, uint64_t at);
void sync_write(struct sim_warp *, const struct sim_access *, uint32_t space, uint32_t lane, uint64_t at);

static inline int sync_is_strong(const struct sim_access *a)
{
    return a->kind == ACCESS_ATOMIC || a->sem >= PTX_VOLATILE;
}
// 1 when the access is meant for threads of its own block only.
static inline int sync_is_block_scoped(const struct sim_access *a)
{
    return a->scope == PTX_CTA;
}

#endif
