// Computes the cost of a warp's access to shared memory: the number of wavefronts (passes) that the access takes
// through 32 banks of 4 bytes.
//
// An access of 32 bits per lane has one phase of 32 lanes. An access of 64 bits has two phases of 16 lanes, and an
// access of 128 bits has four phases of 8 lanes. A phase takes as many wavefronts as its lanes access distinct words in
// the busiest bank. Lanes that access the same word share a wavefront. A load of 64 or 128 bits takes half as many
// phases if the lanes agree in pairs: each lane n has the same address as lane n ^ 1, or each lane n as lane n ^ 2. A
// pair of lanes with an inactive lane counts as a pair with equal addresses. For example, a load of 128 bits in which
// all lanes have one address costs two wavefronts instead of four. Lanes of an atomic access do not share wavefronts. A
// phase of an atomic access takes as many wavefronts as lanes access the busiest bank. The rules for phases and
// wavefronts reproduce all measurements on an H200 (tests/truth/h200_banks.csv) and the stride sweep of gpu-benches (46
// of 46 rows).
#ifndef DEVICE_BANKS_H
#define DEVICE_BANKS_H

#include <stdint.h>

enum { BANKS = 32, BANK_BYTES = 4, BANKS_LANES = 32 };

struct bank_cost {
    uint32_t wavefronts; // number of passes; 0 if no lane is active
    uint32_t conflicts;  // wavefronts above the minimum for these lanes and this access size
};

enum bank_kind { BANKS_LOAD, BANKS_STORE, BANKS_ATOMIC };
// Returns the cost of an access to `bytes` bytes (1 to 16) at the address of each lane in `mask`. An access of one or
// two bytes counts as an access to the whole word that contains the bytes.
struct bank_cost banks_access(const uint64_t address[BANKS_LANES], uint32_t mask, uint32_t bytes, enum bank_kind);
// banks_steps() computes the passes of an access in order. An aligned access to shared memory takes at most BANKS_STEPS
// passes.
enum { BANKS_STEPS = 32 };
struct bank_steps {
    uint32_t count; // number of passes, equal to the wavefronts of banks_access()
    struct bank_step {
        uint32_t lanes[BANKS]; // bit l: lane l gets its word from this bank in this pass; all bits 0: the bank is idle
        uint64_t word[BANKS];  // word that the bank delivers, as address / BANK_BYTES
    } step[BANKS_STEPS];
};
void banks_steps(struct bank_steps *, const uint64_t address[BANKS_LANES], uint32_t mask, uint32_t bytes,
                 enum bank_kind);
// Returns the largest number of lanes in `mask` that have the same address.
uint32_t banks_atomic_serial(const uint64_t address[BANKS_LANES], uint32_t mask);

#endif
