// Computes the cost of a warp's access to shared memory: the number of wavefronts (passes) through 32 banks of 4 bytes.
//
// An access of 32 bits a lane has one phase of 32 lanes, 64 bits two phases of 16, 128 bits four phases of 8. A phase
// takes as many wavefronts as there are distinct words in its busiest bank. Lanes with the same word share a wavefront.
// Wide loads take fewer phases if lanes have equal addresses in pairs. If each lane n has the address of lane n ^ 1, or
// each that of lane n ^ 2, two phases become one; inactive lanes do not matter. So a broadcast of 128 bits costs two
// wavefronts instead of four. Atomics share no wavefront: a phase takes as many as the busiest bank has lanes.
// Source: measurements on an H200 (tests/truth/h200_banks.csv, all rows reproduced) and the stride sweep of gpu-benches
// (46 of 46 rows).
#ifndef DEVICE_BANKS_H
#define DEVICE_BANKS_H

#include <stdint.h>

enum { BANKS = 32, BANK_BYTES = 4, BANKS_LANES = 32 };

struct bank_cost {
    uint32_t wavefronts; // 0 if no lane is active
    uint32_t conflicts;  // wavefronts above the minimum for these lanes and this width
};

enum bank_kind { BANKS_LOAD, BANKS_STORE, BANKS_ATOMIC };
// Returns the cost of an access to `bytes` bytes (1 to 16) at the address of each lane in `mask`. One or two bytes
// count as the word that contains them.
struct bank_cost banks_access(const uint64_t address[BANKS_LANES], uint32_t mask, uint32_t bytes, enum bank_kind);
// The passes of an access in order. An aligned access takes at most BANKS_STEPS.
enum { BANKS_STEPS = 32 };
struct bank_steps {
    uint32_t count; // equal to the wavefronts of banks_access()
    struct bank_step {
        uint32_t lanes[BANKS]; // bit l: lane l gets its word from this bank in this pass; 0: the bank is idle
        uint64_t word[BANKS];  // address / BANK_BYTES
    } step[BANKS_STEPS];
};
void banks_steps(struct bank_steps *, const uint64_t address[BANKS_LANES], uint32_t mask, uint32_t bytes,
                 enum bank_kind);
// Returns the largest number of lanes in `mask` that have the same address.
uint32_t banks_atomic_serial(const uint64_t address[BANKS_LANES], uint32_t mask);

#endif
