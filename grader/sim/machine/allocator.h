// Implements malloc() and free() of device code in the heap of the device that runs the kernel.
#ifndef SIM_MACHINE_ALLOCATOR_H
#define SIM_MACHINE_ALLOCATOR_H

#include <stdint.h>

#include "sim/core/warp.h"

enum { ALLOCATOR_HEAP_BYTES = 8 << 20 }; // the default of cudaLimitMallocHeapSize

// Prepares memory for a launch of a kernel that calls malloc() or free(): opens the heap of device `owner` with `bytes`
// bytes, unless that device has a heap already. `owner` is -1 if there is only one device. Returns 0, or -1 if the host
// has too little memory.
int allocator_open(struct sim_memory *, int owner, uint64_t bytes);
// Frees the heap of device `owner`, with everything in it.
void allocator_close(struct sim_memory *, int owner);
// Executes malloc(bytes) of a lane, at an op. Returns the address of the heap block, or 0 if the heap has no room.
uint64_t allocator_take(struct warp *, uint32_t op, uint32_t lane, uint64_t bytes);
// Executes free(address) of a lane, at an op. A pointer that malloc() did not return is a finding.
void allocator_give(struct warp *, uint32_t op, uint32_t lane, uint64_t address);

#endif
