// Accesses to shared memory, lane by lane: checks them, moves the data and counts bank conflicts.
//
// Addresses in the access are offsets in the shared window.
#ifndef SIM_MACHINE_SHARED_H
#define SIM_MACHINE_SHARED_H

#include "sim/core/access.h"
#include "sim/core/vector_level.h"

#define shared_load SIM_NAME(shared_load)
#define shared_store SIM_NAME(shared_store)
// Like access_load, access_store and access_atomic, which call these for shared memory.
void shared_load(struct sim_warp *, const struct sim_access *, void *const row[], struct sim_validity *);
void shared_store(struct sim_warp *, const struct sim_access *, const void *const row[], const struct sim_validity *);
void shared_atomic(struct sim_warp *, const struct sim_access *, void *result, const void *operand,
                   const void *compare);
// Returns the lanes whose element is aligned and lies within one array. Reports the other lanes.
uint32_t shared_good(const struct sim_warp *, const struct sim_access *);

#endif
