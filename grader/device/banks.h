// What a warp's access to shared memory costs: passes ("wavefronts") through 32 banks of 4 bytes.
//
// A 32-bit access is one phase of 32 lanes; 64 bits two phases of 16 lanes; 128 bits four phases of 8. A phase takes
// as many wavefronts as the busiest bank has distinct words; lanes that read one word share it. A 128-bit load whose
// lanes all agree costs two wavefronts, not four. Stores count alike. An atomic is not shared: it costs the largest
// number of lanes on one address.
// Source: the counters of an H200 (shared_*_wavefronts of the ladder kernels; "a broadcast 128-bit load costs two"),
// the stride sweep of gpu-benches (46 of 46 rows), "shared atomics: one lane per clock per address".
#ifndef DEVICE_BANKS_H
#define DEVICE_BANKS_H

#include <stdint.h>

enum { BANKS = 32, BANK_BYTES = 4, BANKS_LANES = 32 };

struct bank_cost {
    uint32_t wavefronts; // 0 when no lane is active
    uint32_t conflicts;  // wavefronts beyond the fewest possible for these lanes and this width
};

// `bytes` (1 … 16) at each address of the lanes in mask; 1 and 2 bytes count as the word they lie in.
struct bank_cost banks_access(const uint64_t address[BANKS_LANES], uint32_t mask, uint32_t bytes);
// The largest number of lanes in mask whose atomics meet at one address.
uint32_t banks_atomic_serial(const uint64_t address[BANKS_LANES], uint32_t mask);

#endif
