// Vector clocks: what a thread knows of other threads. They are sparse, immutable, and shared by reference.
//
// An entry says that all accesses of some threads, up to a stamp of their block's clock, are known. The threads of an
// entry are one thread, one warp or a whole block, because barriers treat many threads alike. One host thread at a time
// uses the clocks.
#ifndef SIM_HAZARD_VECTOR_CLOCK_H
#define SIM_HAZARD_VECTOR_CLOCK_H

#include <stdint.h>

#include "sim/core/launch.h"

struct vector_clock {
    uint32_t references, count;
    struct vector_clock_entry {
        uint64_t who; // vector_clock_thread, _warp or _block; ascending
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

// NULL is the clock without entries. Every function accepts it.
// Adds a reference, and returns the clock.
struct vector_clock *vector_clock_keep(struct vector_clock *);
// Gives a reference back.
void vector_clock_drop(struct vector_clock *);
// Returns 1 if all accesses of the thread up to the stamp are known.
int vector_clock_knows(const struct vector_clock *, uint64_t block, uint32_t thread, uint32_t stamp);
// Returns 1 if the clock has an entry of the block.
int vector_clock_has_block(const struct vector_clock *, uint64_t block);
// Returns a clock with the knowledge of both. The caller owns a reference to the result.
struct vector_clock *vector_clock_join(struct vector_clock *, struct vector_clock *);

// Collects the entries of a new clock, in any order and with repetitions.
struct vector_clock_draft {
    struct vector_clock_entry *entry;
    uint32_t count, capacity;
};
void vector_clock_draft_add(struct vector_clock_draft *, uint64_t who, uint32_t stamp);
void vector_clock_draft_join(struct vector_clock_draft *, const struct vector_clock *);
// Returns the clock with the entries of the draft, and empties the draft. The caller owns a reference.
struct vector_clock *vector_clock_make(struct vector_clock_draft *);
void vector_clock_draft_free(struct vector_clock_draft *);

#endif
