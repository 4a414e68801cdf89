// Implements vector clocks: each clock records which accesses of other threads a thread is ordered after. The vector
// clocks are sparse and shared by reference counts. A vector clock changes only while it has a single reference.
//
// An entry of a vector clock consists of a key and a stamp. The key of an entry in a vector clock is a number that
// stands for a set of threads of one block. The stamp of an entry is a value of the clock of the block to which the
// entry's threads belong (the field `clock` of struct sim_shadow). All accesses of an entry's threads up to the entry's
// stamp are ordered before the current access of the thread that owns the vector clock. A vector clock is said to know
// an access if one of its entries shows that the access is ordered before the owner's current access. The set of
// threads in an entry is one thread, one warp or a whole block, because barriers order many threads alike. Only one
// host thread at a time may use the vector clocks of a launch.
#ifndef SIM_HAZARD_VECTOR_CLOCK_H
#define SIM_HAZARD_VECTOR_CLOCK_H

#include <stdint.h>

#include "sim/core/launch.h"

struct vector_clock {
    uint32_t references, count, capacity;
    struct vector_clock_entry {
        uint64_t who; // vector_clock_thread, _warp or _block; ascending
        uint32_t stamp;
    } entry[];
};

enum { BLOCK_SHIFT = 11 }; // a key's block stands above its threads, warps and itself

// Returns the key that stands for one thread of a block in the entries of vector clocks. `block` is the block's index
// in the grid, and `thread` the thread's index in the block.
static inline uint64_t vector_clock_thread(uint64_t block, uint32_t thread)
{
    return block << BLOCK_SHIFT | thread;
}
// Returns the key that stands for a whole warp of a block in the entries of vector clocks.
static inline uint64_t vector_clock_warp(uint64_t block, uint32_t warp)
{
    return block << BLOCK_SHIFT | (BLOCK_THREADS_MAX + warp);
}
// Returns the key that stands for a whole block in the entries of vector clocks. The key of a block is larger than the
// keys of the block's threads and warps.
static inline uint64_t vector_clock_block(uint64_t block)
{
    return block << BLOCK_SHIFT | (BLOCK_THREADS_MAX + BLOCK_WARPS_MAX);
}

// NULL stands for a vector clock without entries. Every function in this file accepts NULL as a vector clock.
//
// Adds a reference to the vector clock and returns the clock.
struct vector_clock *vector_clock_keep(struct vector_clock *);
// Removes a reference to the vector clock, and frees the clock if that reference was the last one.
void vector_clock_drop(struct vector_clock *);
// Returns 1 if the vector clock knows all accesses of thread `thread` of block `block` up to clock value `stamp`. A
// vector clock knows an access if the access is ordered before the current access of the thread that owns the clock.
int vector_clock_knows(const struct vector_clock *, uint64_t block, uint32_t thread, uint32_t stamp);
// Returns 1 if the vector clock has an entry for the block or for any thread or warp of the block.
int vector_clock_has_block(const struct vector_clock *, uint64_t block);

// Raises the stamp of the entry with key `who` in the vector clock *at to `stamp`, and adds the entry if the vector
// clock has no entry with this key. Changes nothing if the entry's stamp is at least `stamp` already, or if `stamp` is
// 0. A vector clock with other references is copied first: the function then stores the copy in *at and removes one
// reference to the old vector clock. Returns 1 if vector_clock_raise() added the entry or raised its stamp, and 0
// otherwise.
int vector_clock_raise(struct vector_clock **at, uint64_t who, uint32_t stamp);
// Joins the vector clock `more` into the vector clock *at: *at gets the keys of both vector clocks, each key with the
// later of its stamps. The caller keeps its reference to `more`. If the old clock *at has other references, it is not
// changed, and the function stores a new clock in *at instead. Returns 1 if the join added an entry to the clock *at or
// raised a stamp in it, and 0 otherwise.
int vector_clock_join(struct vector_clock **at, struct vector_clock *more);

#endif
