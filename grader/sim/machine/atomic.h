// Computes the effect of an atomic instruction on one value in memory.
#ifndef SIM_MACHINE_ATOMIC_H
#define SIM_MACHINE_ATOMIC_H

#include "sim/core/access.h"

// Applies the atomic to the value at the host address `host`, stores the new value there, and returns the old value.
// `operand` and `compare` are the bits of the operands. `shared_host` 1: other host threads may apply atomics to the
// same value at the same time.
uint64_t atomic_apply(const struct sim_access *, uint8_t *host, uint64_t operand, uint64_t compare, int shared_host);
// Returns 1 if blocks may apply atomics of this kind in any order. These atomics are add, min, max, and, or and xor on
// integers, with the result unused.
int atomic_commutes(const struct sim_access *);

#endif
