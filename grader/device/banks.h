// What a warp's access to shared memory costs: passes ("wavefronts") through 32 banks of 4 bytes.
//
// A 32-bit access is one phase of 32 lanes; 64 bits two phases of 16 lanes; 128 bits four phases of 8. A phase takes
// as many wavefronts as the busiest bank has distinct words; lanes that name one word share it. Wide loads are quicker
// where lanes agree in pairs: when each lane n names the same place as lane n ^ 1 (or each the same as n ^ 2; a lane
// that takes no part agrees with everyone), two phases become one. So a broadcast of 128 bits costs two wavefronts, not
// four. Atomics share nothing: a phase takes as many wavefronts as the busiest bank has lanes. Source: measured pattern
// by pattern on an H200 (tests/truth/h200_banks.csv: every row is reproduced); the stride sweep of gpu-benches (46 of
// 46 rows).
#ifndef DEVICE_BANKS_H
#define DEVICE_BANKS_H

#include <stdint.h>

enum { BANKS = 32, BANK_BYTES = 4, BANKS_LANES = 32 };

struct bank_cost {
    uint32_t wavefronts; // 0 when no lane is active
    uint32_t conflicts;  // wavefronts beyond the fewest possible for these lanes and this width
};

enum bank_kind { BANKS_LOAD, BANKS_STORE, BANKS_ATOMIC };
// `bytes` (1 … 16) at each address of the lanes in mask; 1 and 2 bytes count as the word they lie in.
struct bank_cost banks_access(const uint64_t address[BANKS_LANES], uint32_t mask, uint32_t bytes, enum bank_kind);
// The passes of an access one by one. No aligned access takes more than BANKS_STEPS.
enum { BANKS_STEPS = 32 };
struct bank_steps {
    uint32_t count; // as many as banks_access() says
    struct bank_step {
        uint32_t lanes[BANKS]; // bit l: lane l has its word of this bank in this pass; 0: the bank is idle
        uint64_t word[BANKS];  // address / BANK_BYTES
    } step[BANKS_STEPS];
};
void banks_steps(struct bank_steps *, const uint64_t address[BANKS_LANES], uint32_t mask, uint32_t bytes,
                 enum bank_kind);
// The largest number of lanes in mask whose atomics meet at one address.
uint32_t banks_atomic_serial(const uint64_t address[BANKS_LANES], uint32_t mask);

#endif
