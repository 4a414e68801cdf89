// The effect of an atomic instruction on one value.
#ifndef SIM_MACHINE_ATOMIC_H
#define SIM_MACHINE_ATOMIC_H

#include "sim/core/access.h"

// Applies the atomic to the value at `host`, stores the new value, and returns the old one. `operand` and `compare` are
// the operands' bits. `shared_host` 1: other host threads may apply atomics to the same value at the same time.
uint64_t atomic_apply(const struct sim_access *, uint8_t *host, uint64_t operand, uint64_t compare, int shared_host);
// Returns 1 if blocks may apply atomics of this kind in any order: on integers, with the result unused.
int atomic_commutes(const struct sim_access *);

#endif
