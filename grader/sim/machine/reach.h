// Says what the memory op of a warp is about to access.
#ifndef SIM_MACHINE_REACH_H
#define SIM_MACHINE_REACH_H

#include "sim/core/region.h"
#include "sim/core/warp.h"

// Returns the description of the memory access that the op makes, or NULL if the op makes none.
const struct sim_memory_op *reach_memory_op(const struct warp *, const struct sim_op *);

struct reach {
    uint32_t space;            // enum memory_space
    uint64_t address;          // in shared and local memory: offset in the block's, or the thread's, memory
    struct sim_region *region; // in global memory: the region that owns the address; else NULL
    uint8_t *host;             // where the bytes are; NULL: they do not all belong to memory
};
// Finds what each of the lanes in `lanes` accesses. The results are valid until the op is executed.
void reach_lanes(const struct warp *, const struct sim_memory_op *, const struct sim_op *, uint32_t lanes,
                 struct reach out[WARP_LANES]);

#endif
