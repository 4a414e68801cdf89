// Tracks asynchronous copies (cp.async) in flight. A thread that issues an asynchronous copy must wait for the copy
// before any thread accesses the words of shared memory that the copy writes.
//
// An asynchronous copy is not ordered by the program order of the thread that issues it. The writes of an asynchronous
// copy happen at some time between its issue and the issuing thread's wait. When a thread issues an asynchronous copy,
// the copy is checked for races like a store to its destination words in shared memory. An access of another thread to
// a destination word races with the copy if the access is not ordered before the issue of the copy. When an
// asynchronous copy has been checked for races, its destination words are marked as in flight (SHADOW_IN_FLIGHT). A
// word that is marked as in flight counts as written by a write that is ordered before no access, not even before later
// accesses of the issuing thread. The wait of the issuing thread turns an asynchronous copy into a store made at the
// moment of the wait. A thread can also bind its asynchronous copies to an mbarrier (cp.async.mbarrier.arrive). Copies
// that are bound to an mbarrier complete when the mbarrier's phase completes. For the race check, a copy that is bound
// to an mbarrier counts as a store made at the time of the binding. After a thread has waited for the mbarrier's phase,
// its accesses are therefore ordered after the writes of the copies that are bound to the mbarrier.
#ifndef SIM_HAZARD_COPIES_H
#define SIM_HAZARD_COPIES_H

#include <stdint.h>

#include "sim/core/launch.h"

struct sim_shadow;
struct shadow_copies;
// Returns an empty struct shadow_copies, the record of asynchronous copies in flight, for a block of `threads` threads.
// The caller frees the struct shadow_copies with copies_free().
struct shadow_copies *copies_new(uint32_t threads);
void copies_free(struct shadow_copies *);
void copies_begin(struct shadow_copies *); // starts a new block without copies in flight
// Records that the thread issued an asynchronous copy to the bytes [at, at + bytes) of shared memory. `op` is the index
// of the op that issued the copy.
void copies_issue(struct shadow_copies *, uint32_t thread, uint32_t at, uint32_t bytes, uint32_t op);
// Binds the thread's unbound copies in flight to the mbarrier at offset `mbarrier` of shared memory. A copy that is
// bound to an mbarrier arrives at the mbarrier when all bytes of the copy are written.
void copies_bind(struct sim_shadow *, uint32_t thread, uint32_t mbarrier);
// Completes all asynchronous copies that are bound to the mbarrier at offset `mbarrier` of shared memory. Call
// copies_complete() when the mbarrier's phase completes.
void copies_complete(struct sim_shadow *, uint32_t mbarrier);
// Closes the current group of asynchronous copies of each lane in `mask` (cp.async.commit_group).
void copies_commit(struct sim_warp *, uint32_t mask);
// Completes the asynchronous copies for which the lanes in `mask` wait (cp.async.wait_group). The copies in each lane's
// latest `left` groups stay in flight. If `left` is COPIES_ALL, copies_wait() completes every copy, including copies
// that belong to no group.
void copies_wait(struct sim_warp *, uint32_t mask, uint32_t left);
#define COPIES_ALL 0xffffffffu

#endif
