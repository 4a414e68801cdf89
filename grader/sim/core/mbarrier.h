// Implements mbarriers: barriers that lie in shared memory as a 64-bit word (PTX ISA 9.7.13.15).
//
// Theory of operation. The word of an mbarrier is an ordinary word of shared memory. Initialising the mbarrier stores
// the word, an arrival is an atomic on the word, and a test loads the word. So the checks of other accesses also find
// the errors of mbarriers: out-of-bounds accesses, uninitialised words, and races between an initialisation and the
// first use. The order that an mbarrier creates is the order that atomics create (sync.h). A thread that arrives
// releases. A thread that finds a phase complete acquires the accesses published by the arrivals. A test that fails
// acquires nothing, and ends the turn of the warp's current split. Asynchronous copies that are bound to an mbarrier
// complete when the mbarrier's phase completes (copies.h). A thread that waits late may also acquire accesses published
// for the next phase. So a race can be missed, but no false race is reported.
#ifndef SIM_CORE_MBARRIER_H
#define SIM_CORE_MBARRIER_H

#include <stdint.h>

#include "sim/core/op.h"

// Atomic operations on the word of an mbarrier, in addition to enum ptx_atom. The operand is the number of arrivals.
enum sim_mbarrier_atom {
    MBARRIER_ARRIVE = 64, // arrives
    MBARRIER_DROP,        // arrives, and each later phase expects that many arrivals fewer
    // Binds the thread's asynchronous copies to the mbarrier. Operand 1 (.noinc): the arrival of the copies is one of
    // the expected arrivals. Operand 0: the phase expects one arrival more, for the copies.
    MBARRIER_COPIES,
};

// Returns 1 if `atom` is a member of enum sim_mbarrier_atom.
static inline int mbarrier_is_atom(uint32_t atom)
{
    return atom >= MBARRIER_ARRIVE;
}
// Returns the word of an mbarrier in its first phase. `arrivals`: number of arrivals that each phase expects.
uint64_t mbarrier_fresh(uint32_t arrivals);
// Returns the word after `arrivals` arrivals at an mbarrier with the word `word`. `atom`: enum sim_mbarrier_atom.
uint64_t mbarrier_arrived(uint64_t word, uint32_t atom, uint32_t arrivals);
// Returns the number of completed phases, modulo 2^24.
uint32_t mbarrier_phase(uint64_t word);
// Returns the number of arrivals that the current phase still needs.
uint32_t mbarrier_pending(uint64_t word);

// Handlers; `a`, `b` and `d` are the operands of the op. mbarrier_word stores the initial word of an mbarrier in `d`.
// Each phase of this mbarrier expects as many arrivals as `a` says. mbarrier_test sets the predicate `d` to true if a
// phase is complete, according to the word `a`. In mode 0, `b` is a word from the tested phase. In mode 1, `b` is the
// parity of the tested phase. mbarrier_count stores in `d` the number of arrivals that the current phase of the word
// `a` still needs.
sim_handler mbarrier_word, mbarrier_test, mbarrier_count;

#endif
