// Executes accesses to shared memory lane by lane: checks addresses, moves the data and counts bank conflicts.
//
// The addresses in struct sim_access are offsets in the block's shared memory.
#ifndef SIM_MACHINE_SHARED_H
#define SIM_MACHINE_SHARED_H

#include "sim/core/access.h"
#include "sim/core/vector_level.h"

#define shared_load SIM_NAME(shared_load)
#define shared_store SIM_NAME(shared_store)
// shared_load() loads from shared memory, shared_store() stores to it, and shared_atomic() applies atomics to it. The
// functions shared_load(), shared_store() and shared_atomic() have the contracts of access_load(), access_store() and
// access_atomic(), which call them.
void shared_load(struct sim_warp *, const struct sim_access *, void *const row[], struct sim_validity *);
void shared_store(struct sim_warp *, const struct sim_access *, const void *const row[], const struct sim_validity *);
void shared_atomic(struct sim_warp *, const struct sim_access *, void *result, const void *operand,
                   const void *compare);
// Returns the lanes whose address is aligned and whose bytes lie within one array. Adds a finding for each lane of the
// access whose address is bad.
uint32_t shared_good(const struct sim_warp *, const struct sim_access *);

#endif
