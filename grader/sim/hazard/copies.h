// Asynchronous copies in flight (cp.async). The issuing thread must wait for a copy before anybody may access the words
// of shared memory that the copy writes.
//
// An asynchronous copy takes no part in program order. Its writes happen at some time between its issue and the wait of
// its thread. At its issue, the copy is checked like a store: other threads that may still access the words race with
// it. The words are then marked as in flight. Such a mark is ordered before nothing, not even before what the same
// thread does next. The wait turns the copy into a store made at the moment of the wait. If a thread lets its copies
// arrive at an mbarrier, they complete with the mbarrier's phase, as stores made at that arrival. Threads that waited
// for the phase know them.
#ifndef SIM_HAZARD_COPIES_H
#define SIM_HAZARD_COPIES_H

#include <stdint.h>

#include "sim/core/launch.h"

struct sim_shadow;
struct shadow_copies;
// Returns the copies of a block of `threads` threads. The caller frees them with copies_free.
struct shadow_copies *copies_new(uint32_t threads);
void copies_free(struct shadow_copies *);
void copies_begin(struct shadow_copies *); // starts a new block: no copies are in flight
// Records that the thread issued a copy to the bytes [at, at + bytes) of shared memory by this op.
void copies_issue(struct shadow_copies *, uint32_t thread, uint32_t at, uint32_t bytes, uint32_t op);
// Binds the thread's copies in flight to the mbarrier at this offset: they arrive there when they are done.
// copies_complete makes the copies that are bound to an mbarrier complete, because its phase is.
void copies_bind(struct sim_shadow *, uint32_t thread, uint32_t mbarrier);
void copies_complete(struct sim_shadow *, uint32_t mbarrier);
// Lanes close a group of asynchronous copies (cp.async.commit_group).
void copies_commit(struct sim_warp *, uint32_t mask);
// Lanes wait until at most `left` of their latest groups are in flight. COPIES_ALL: until every copy is done, also
// those of no group.
void copies_wait(struct sim_warp *, uint32_t mask, uint32_t left);
#define COPIES_ALL 0xffffffffu

#endif
