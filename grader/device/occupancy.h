// How many blocks are resident on a multiprocessor at once, and what stops one more.
//
// A warp takes registers in multiples of the granularity; a block takes shared memory in multiples of its granularity
// and the system's part besides. Source: CUDA C++ Programming Guide, "Hardware Multithreading"; the CUDA occupancy
// calculator.
#ifndef DEVICE_OCCUPANCY_H
#define DEVICE_OCCUPANCY_H

#include <stdint.h>

#include "device/profile.h"

enum occupancy_limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, OCCUPANCY_LIMITS };
extern const char *const occupancy_limit_name[OCCUPANCY_LIMITS];

struct occupancy {
    uint32_t blocks;               // resident at once; 0: not even one fits
    uint32_t warps;                // of these blocks
    uint32_t permille;             // warps over the most there can be
    enum occupancy_limit limit;    // what stops one more; the first in the enum's order when several do
    uint32_t by[OCCUPANCY_LIMITS]; // blocks that each resource alone would allow
};
// `threads` of a block, `registers` of a thread, `shared` bytes of a block (static and dynamic).
struct occupancy occupancy_of(const struct device_profile *, uint32_t threads, uint32_t registers, uint32_t shared);

#endif
