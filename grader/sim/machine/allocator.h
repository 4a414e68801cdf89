// Implements malloc() and free() of device code in the heap of the device that runs the kernel.
#ifndef SIM_MACHINE_ALLOCATOR_H
#define SIM_MACHINE_ALLOCATOR_H

#include <stdint.h>

#include "sim/core/warp.h"

enum { ALLOCATOR_HEAP_BYTES = 8 << 20 }; // the default of cudaLimitMallocHeapSize

// Prepares memory for a launch of a kernel that calls malloc() or free(). Creates a heap of `bytes` bytes for device
// `owner`, unless that device already has a heap. `owner` is -1 if there is only one device. Returns 0, or -1 if the
// host has too little memory.
int allocator_open(struct sim_memory *, int owner, uint64_t bytes);
// Frees the heap of device `owner`, with everything in it.
void allocator_close(struct sim_memory *, int owner);
// Executes malloc(bytes) for one lane, which the lane calls at op number `op`. Returns the address of the heap block,
// or 0 if the heap has no room.
uint64_t allocator_take(struct warp *, uint32_t op, uint32_t lane, uint64_t bytes);
// Executes free(address) for one lane, which the lane calls at op number `op`. Adds a finding if malloc() did not
// return this address, or if the heap block at this address was freed before.
void allocator_give(struct warp *, uint32_t op, uint32_t lane, uint64_t address);

#endif
