// mbarriers: barriers that lie in shared memory as a word of 64 bits (PTX ISA 9.7.13.15).
//
// Theory of operation. The word is an ordinary one: initialising stores it, arriving changes it by an atomic, testing
// loads it. So bounds, words never written and races between an initialisation and its first use are found as of any
// other access, and the order that an mbarrier makes is the one that atomics make (sync.h): who arrives releases,
// who finds a phase complete acquires what those left who arrived. A test that fails acquires nothing, and gives up the
// warp's turn. An asynchronous copy that arrives at an mbarrier lands when the phase completes (copies.h).
// Whoever waits late may also learn what was left for the next phase: so a race could be missed, never invented.
#ifndef SIM_CORE_MBARRIER_H
#define SIM_CORE_MBARRIER_H

#include <stdint.h>

#include "sim/core/op.h"

// What an atomic on such a word does, beside those of enum ptx_atom. Its operand is the number of arrivals.
enum sim_mbarrier_atom {
    MBARRIER_ARRIVE = 64,
    MBARRIER_DROP,   // and each later phase expects as many less
    MBARRIER_COPIES, // the thread's asynchronous copies arrive when they are done; operand 0: one arrival more for them
};

static inline int mbarrier_is_atom(uint32_t atom)
{
    return atom >= MBARRIER_ARRIVE;
}
uint64_t mbarrier_fresh(uint32_t arrivals); // in its first phase
uint64_t mbarrier_arrived(uint64_t word, uint32_t atom, uint32_t arrivals);
uint32_t mbarrier_phase(uint64_t word);
uint32_t mbarrier_pending(uint64_t word); // arrivals that are missing

// Handlers. word: d = the word for a arrivals. test: d = in the word a, the phase of which b is a word (mode 0) or the
// parity (mode 1) is complete. pending: d = what is missing in the word a.
sim_handler mbarrier_word, mbarrier_test, mbarrier_count;

#endif
