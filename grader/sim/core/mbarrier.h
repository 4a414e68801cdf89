// Declares the operations on mbarriers, which are barriers in 64-bit words of shared memory (PTX ISA 9.7.13.15).
//
// Theory of operation. The word of an mbarrier is an ordinary word of shared memory. Initialising an mbarrier stores
// its word, an arrival is an atomic on the word, and a test loads the word. The checks of ordinary accesses to shared
// memory therefore also find out-of-bounds accesses to mbarriers, uninitialised mbarriers, and races between an
// initialisation and the first use. An mbarrier orders threads in the same way as an atomic does (sync.h). An arrival
// at an mbarrier is a release operation. A test that finds a phase of an mbarrier complete is an acquire operation on
// the arrivals of the phase. A test that finds a phase of an mbarrier incomplete acquires nothing, and lets the other
// lanes and warps run first. Asynchronous copies that are bound to an mbarrier complete when the mbarrier's phase
// completes (copies.h). A thread may test a phase of an mbarrier late, when other threads have already arrived for the
// next phase. In the simulator, a test of a completed phase of an mbarrier also acquires the accesses released by
// threads that have already arrived for the next phase. The race check can therefore miss a race between threads that
// use an mbarrier, but reports no false race.
#ifndef SIM_CORE_MBARRIER_H
#define SIM_CORE_MBARRIER_H

#include <stdint.h>

#include "sim/core/op.h"

// Lists the atomic operations on the word of an mbarrier; enum ptx_atom lists the other atomic operations. The operand
// of MBARRIER_ARRIVE and MBARRIER_DROP is the number of arrivals.
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
// Returns the word of an mbarrier in its first phase. `arrivals` is the number of arrivals that each phase of the
// mbarrier expects.
uint64_t mbarrier_fresh(uint32_t arrivals);
// Returns the word that an mbarrier with the word `word` has after `arrivals` more arrivals. `atom`: enum
// sim_mbarrier_atom.
uint64_t mbarrier_arrived(uint64_t word, uint32_t atom, uint32_t arrivals);
// Returns the number of completed phases of an mbarrier, modulo 2^24.
uint32_t mbarrier_phase(uint64_t word);
// Returns the number of arrivals that the current phase of an mbarrier still needs.
uint32_t mbarrier_pending(uint64_t word);

// The handlers mbarrier_word, mbarrier_test and mbarrier_count execute mbarrier instructions with the operands `a`, `b`
// and `d`. The handler mbarrier_word stores in `d` the initial word of an mbarrier whose phases expect `a` arrivals
// each. The handler mbarrier_test sets the predicate `d` to true if the mbarrier word `a` shows that the tested phase
// is complete. In mode 0 of mbarrier_test, `b` is an mbarrier word from the tested phase. In mode 1 of mbarrier_test,
// `b` is the parity of the tested phase. The handler mbarrier_count stores in `d` the number of arrivals that the
// current phase of the mbarrier word `a` still needs.
sim_handler mbarrier_word, mbarrier_test, mbarrier_count;

#endif
