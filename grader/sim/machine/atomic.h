// Computes the effect of an atomic instruction on one value in memory.
#ifndef SIM_MACHINE_ATOMIC_H
#define SIM_MACHINE_ATOMIC_H

#include "sim/core/access.h"

// Applies an atomic instruction to the value at the host address `host`, stores the new value there, and returns the
// old value. `operand` and `compare` are the bits of the instruction's operands. If `shared_host` is 1, other host
// threads may apply atomics to the same value at the same time.
uint64_t atomic_apply(const struct sim_access *, uint8_t *host, uint64_t operand, uint64_t compare, int shared_host);
// Returns 1 if the result does not depend on the order in which blocks apply atomics of this kind. The atomics that
// commute are add, min, max, and, or and xor on integers, with the result unused.
int atomic_commutes(const struct sim_access *);

#endif
