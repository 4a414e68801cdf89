// Tracks asynchronous copies (cp.async) in flight. A thread that issues a copy must wait for the copy before any thread
// accesses the words of shared memory that the copy writes.
//
// An asynchronous copy takes no part in program order. Its writes happen at some time between its issue and its
// thread's wait. At its issue, the copy is checked like a store, so other threads that may still access the words race
// with the copy. The words are then marked as in flight. A mark is ordered before no access, not even before later
// accesses of the same thread. The wait of the issuing thread turns an asynchronous copy into a store made at the
// moment of the wait. A thread can also bind its copies to an mbarrier (cp.async.mbarrier.arrive). Bound copies
// complete with the mbarrier's phase. Bound copies count as stores made at the time of the binding. So threads that
// waited for the phase are ordered after these stores.
#ifndef SIM_HAZARD_COPIES_H
#define SIM_HAZARD_COPIES_H

#include <stdint.h>

#include "sim/core/launch.h"

struct sim_shadow;
struct shadow_copies;
// Returns an empty record of copies in flight for a block of `threads` threads. The caller frees the record with
// copies_free().
struct shadow_copies *copies_new(uint32_t threads);
void copies_free(struct shadow_copies *);
void copies_begin(struct shadow_copies *); // starts a new block without copies in flight
// Records that the thread issued an asynchronous copy to the bytes [at, at + bytes) of shared memory. `op`: index of
// the op that issued the copy.
void copies_issue(struct shadow_copies *, uint32_t thread, uint32_t at, uint32_t bytes, uint32_t op);
// Binds the thread's copies in flight to the mbarrier at this offset of shared memory. The copies arrive at the
// mbarrier when all their bytes are written.
void copies_bind(struct sim_shadow *, uint32_t thread, uint32_t mbarrier);
// Completes all copies that are bound to this mbarrier. Call this function when the mbarrier's phase completes.
void copies_complete(struct sim_shadow *, uint32_t mbarrier);
// Closes the current copy group of each lane in `mask` (cp.async.commit_group).
void copies_commit(struct sim_warp *, uint32_t mask);
// Completes the copies for which the lanes in `mask` wait (cp.async.wait_group). The copies of each lane's latest
// `left` groups stay in flight. COPIES_ALL as `left` completes every copy, including copies that belong to no group.
void copies_wait(struct sim_warp *, uint32_t mask, uint32_t left);
#define COPIES_ALL 0xffffffffu

#endif
