// Computes how many blocks can be resident on a multiprocessor at once, and which resource limits the number of
// resident blocks.
//
// The hardware allocates registers to warps and shared memory to blocks, both in multiples of a granularity. The CUDA
// system reserves some shared memory for each block. The occupancy rules are those of the CUDA C++ Programming Guide,
// "Hardware Multithreading", and of the CUDA occupancy calculator.
#ifndef DEVICE_OCCUPANCY_H
#define DEVICE_OCCUPANCY_H

#include <stdint.h>

#include "device/profile.h"

enum occupancy_limit { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED, OCCUPANCY_LIMITS };
extern const char *const occupancy_limit_name[OCCUPANCY_LIMITS];

struct occupancy {
    uint32_t blocks;            // resident blocks; 0: one block needs more than the multiprocessor has
    uint32_t warps;             // resident warps
    uint32_t permille;          // resident warps / most warps that the multiprocessor can hold, in 1/1000
    enum occupancy_limit limit; // the limiting resource; if several limit equally, the first in the order of the enum
    uint32_t by[OCCUPANCY_LIMITS]; // blocks that each resource alone would allow
};
// Returns the occupancy that a kernel reaches on a device. `threads` is the number of threads per block, and
// `registers` the number of registers per thread. `shared` is the static and dynamic shared memory per block in bytes.
struct occupancy occupancy_of(const struct device_profile *, uint32_t threads, uint32_t registers, uint32_t shared);

#endif
