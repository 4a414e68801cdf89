// Asynchronous copies on their way (cp.async): the words of shared memory they write are nobody's until the issuing
// thread has waited for them.
//
// An asynchronous copy takes no part in program order. Its writes happen somewhere between its issue and the moment at
// which its thread's wait says that it is done. At the issue it is checked like a store (whoever may still read or
// write the place races with it), and the place is marked as flying, which is ordered before nothing, not even before
// what the same thread does. The wait turns it into a store made at that moment. Copies whose thread let them arrive at
// an mbarrier land when its phase completes, as stores made at that arrival: who waited for the phase knows of them.
#ifndef SIM_HAZARD_COPIES_H
#define SIM_HAZARD_COPIES_H

#include <stdint.h>

#include "sim/core/launch.h"

struct sim_shadow;
struct shadow_copies;
struct shadow_copies *copies_new(uint32_t threads);
void copies_free(struct shadow_copies *);
void copies_begin(struct shadow_copies *); // a fresh block: none are on their way
// The thread has issued a copy to the bytes [at, at + bytes) by this op.
void copies_issue(struct shadow_copies *, uint32_t thread, uint32_t at, uint32_t bytes, uint32_t op);
// The thread's copies on their way arrive, now, at the mbarrier at this place when they are done; its phase is
// complete.
void copies_bind(struct sim_shadow *, uint32_t thread, uint32_t mbarrier);
void copies_complete(struct sim_shadow *, uint32_t mbarrier);
// Lanes close a group of asynchronous copies (cp.async.commit_group).
void copies_commit(struct sim_warp *, uint32_t mask);
// Lanes wait until at most `left` of their latest groups are in flight. COPIES_ALL: until every copy is done, also
// those of no group.
void copies_wait(struct sim_warp *, uint32_t mask, uint32_t left);
#define COPIES_ALL 0xffffffffu

#endif
