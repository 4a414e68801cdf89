// What a thread knows of other threads: a vector clock, sparse, never changed once made, shared by reference.
//
// An entry says: all that these threads did up to this stamp of their block's clock is known. "These threads" are one
// thread, a warp, or a whole block, because barriers treat many alike. Used by one host thread at a time.
#ifndef SIM_HAZARD_VECTOR_CLOCK_H
#define SIM_HAZARD_VECTOR_CLOCK_H

#include <stdint.h>

#include "sim/core/launch.h"

struct vector_clock {
    uint32_t references, count;
    struct vector_clock_entry {
        uint64_t who; // see the makers below; ascending
        uint32_t stamp;
    } entry[];
};

static inline uint64_t vector_clock_thread(uint64_t block, uint32_t thread)
{
    return block << 11 | thread;
}
static inline uint64_t vector_clock_warp(uint64_t block, uint32_t warp)
{
    return block << 11 | (BLOCK_THREADS_MAX + warp);
}
static inline uint64_t vector_clock_block(uint64_t block)
{
    return block << 11 | (BLOCK_THREADS_MAX + BLOCK_WARPS_MAX);
}

// NULL is the vector that knows nothing; every function takes it.
struct vector_clock *vector_clock_keep(struct vector_clock *); // one more reference; returns it
void vector_clock_drop(struct vector_clock *);                 // one reference less
// 1 when what the thread did up to the stamp is known.
int vector_clock_knows(const struct vector_clock *, uint64_t block, uint32_t thread, uint32_t stamp);
// 1 when anything is known of the block.
int vector_clock_has_block(const struct vector_clock *, uint64_t block);
// What either knows; the caller owns a reference to the result.
struct vector_clock *vector_clock_join(struct vector_clock *, struct vector_clock *);

// Collects entries in any order, any of them several times.
struct vector_clock_draft {
    struct vector_clock_entry *entry;
    uint32_t count, capacity;
};
void vector_clock_draft_add(struct vector_clock_draft *, uint64_t who, uint32_t stamp);
void vector_clock_draft_join(struct vector_clock_draft *, const struct vector_clock *);
struct vector_clock *vector_clock_make(struct vector_clock_draft *); // empties the draft
void vector_clock_draft_free(struct vector_clock_draft *);

#endif
