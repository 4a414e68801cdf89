// Tracks release/acquire synchronisation, which orders threads through accesses to memory without a barrier. In a
// typical example, thread A writes data and then sets a flag with a strong write; thread B reads the flag with a strong
// read, and then the data.
//
// Theory of operation. Strong accesses are atomics and volatile, relaxed, acquire and release accesses. Only strong
// accesses synchronise. As an exception, three kinds of weak loads count as strong: ld.cv, ld.cg and the load before a
// compare-and-swap. The loads ld.cv, ld.cg and the load before a compare-and-swap count as strong because correct code
// synchronises with them. Correct code polls a flag with ld.cv or ld.cg, and a compare-and-swap checks the value of the
// load before it. The load ld.cv counts as volatile. The load ld.cg and the load before a compare-and-swap
// (lower/cas_seed.c) count as relaxed. In a race with a plain store, ld.cv, ld.cg and the load before a
// compare-and-swap count as weak.
//
// A strong write to a word *publishes* an access if the write orders this access before the next accesses of every
// thread that later reads the word with a strong read. Fences, strong writes, strong reads and barriers determine which
// accesses are published.
//   - When a thread executes a fence, all accesses that are ordered before the fence become *fenced* accesses of the
//     thread.
//   - A strong write without .release publishes the fenced accesses of the writing thread, that is, the accesses
//     ordered before the thread's latest fence. A strong write with .release publishes all accesses that are ordered
//     before the write. A read-modify-write of a word continues a release sequence: a thread that reads its result also
//     synchronises with earlier strong writes to the word. A strong store of a whole word ends a release sequence: a
//     thread that reads the stored value does not synchronise with earlier strong writes to the word. A
//     compare-and-swap that fails writes nothing, so it publishes no access to threads that read the word later.
//   - If a thread reads a word with an atomic, volatile or acquiring read, the accesses that strong writes published at
//     the word are at once ordered before the thread's next accesses. If a thread loads a word by a relaxed load, the
//     accesses that earlier writes to the word published are ordered only before the accesses that the thread makes
//     after its next fence.
//   - If an access is ordered before one thread that passes a barrier or __syncwarp, the access is ordered before all
//     threads that pass the barrier together. If an access is a fenced access (ordered before the latest fence) of one
//     thread that passes a barrier, it becomes a fenced access of all threads that pass the barrier. One thread of a
//     block can therefore publish the writes of all threads, if all threads write, execute a fence and pass a barrier,
//     and one thread then sets a flag.
// Suppose that thread A writes data and sets a flag without a fence or .release in between, and that thread B reads the
// flag and then the data. Without the fence or .release, B's reads of the data are not ordered after A's writes. A
// missing __threadfence() therefore leads to a race report. If a strong write or the fence before it has block scope,
// the write publishes accesses only for threads of its own block. For each 32-bit word, the simulator records which
// accesses are ordered before a thread's next accesses once the thread reads the word with a strong read. A strong
// store to a part of a word keeps what earlier strong writes to the word published, because the other bytes of the word
// may be flags of other threads. A weak store to a word does not remove the accesses that strong writes published at
// the word. After a strong read, the simulator may therefore order a thread after more accesses than the memory model
// does. If too many accesses count as ordered, the race check can miss a race, but reports no false race.
//
// When a kernel synchronises through memory, the order in which the simulator executes its accesses decides which
// accesses are ordered. A race report about a kernel that synchronises through memory is therefore certain only for the
// simulated order of the kernel's accesses. A sequence lock over plain data is an example of a kernel whose races
// depend on the simulated order: a writer changes the data while readers read. With a sequence lock, only readers that
// run before the writer's next update race with the writer. A reader of a sequence lock that runs after the writer is
// ordered after the writer by the sequence number that the reader loads. Because races can depend on the order of
// accesses, the simulator runs each test case of a lab in several orders. In two of the runs of each test case, some
// lanes of a warp run ahead at random (lane jitter), and blocks take turns of a few instructions (machine/grid.c).
//
// Cost. A block allocates struct sync_state at its first fence or release. A block without fences and releases
// allocates struct sync_state at its first strong read of a word for which a strong write has left a vector clock. Once
// a block has a struct sync_state, each thread of the block has four references to vector clocks. Barriers join the
// vector clocks of the threads, and fences make new vector clocks. Each block has a table of the vector clocks that
// strong writes left for words in shared memory. A launch has a table of the vector clocks that strong writes left for
// words in global memory. The launch's table for words in global memory exists only while one host thread runs all
// blocks (sim_memory.serial). Blocks run in parallel only if no thread reads a location in global memory to
// synchronise.
#ifndef SIM_HAZARD_SYNC_H
#define SIM_HAZARD_SYNC_H

#include <stdint.h>

#include "sim/core/access.h"
#include "sim/hazard/vector_clock.h"

// Maps words of memory to the vector clocks that strong writes left there for later strong reads.
struct sync_locations;
// Returns an empty table of words and vector clocks. The caller must free the table with sync_locations_free().
struct sync_locations *sync_locations_new(void);
void sync_locations_free(struct sync_locations *);

// Holds vector clocks for each thread of a block, which describe sets of accesses. The vector clock `known` of a thread
// describes the accesses that are ordered before the thread's current access. The vector clocks `fenced` of a thread
// describe the accesses that are ordered before its latest fence, which its next strong write therefore publishes.
// Orderings by barriers alone are not in struct sync_state, because struct sim_shadow records them (shadow.h).
struct sync_state {
    uint32_t threads;
    struct vector_clock **known;     // [threads]: accesses ordered before the current access of each thread
    struct vector_clock **fenced[2]; // [SYNC_BLOCK or SYNC_GRID][threads]: fenced accesses of each thread
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
// Orders the threads in `to` after the accesses that are ordered before any thread in `from`. The fenced accesses of
// the threads in `from` (accesses ordered before a thread's latest fence) also become fenced accesses of the threads in
// `to`. The arrays `from` and `to` hold a mask of lanes for each warp.
void sync_join(struct sync_state *, const uint32_t from[BLOCK_WARPS_MAX], const uint32_t to[BLOCK_WARPS_MAX]);

// Joins the vector clocks of all threads of a warp into the vector clocks of the single thread in `one`, for a named
// barrier at which the warp only arrives (bar.arrive). The function sync_scatter() joins the vector clocks in `one`
// into the vector clocks of each thread of a warp.
void sync_gather(struct sync_state *one, const struct sync_state *, uint32_t warp);
void sync_scatter(struct sync_state *, uint32_t warp, const struct sync_state *one);

// Records that the lanes in `mask` execute a fence. `scope`: enum ptx_scope.
void sync_fence(struct sim_warp *, uint32_t mask, uint32_t scope);
// Turns the earlier relaxed loads of the lanes in `mask` into acquires, as a fence does. From then on, the accesses of
// the lanes in `mask` are ordered after the accesses that were published by the writes whose values the lanes' relaxed
// loads returned.
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
