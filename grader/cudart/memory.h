// This file declares the table of memory that the devices know. The table holds the ranges of this memory, and whether
// the host may access each range.
#ifndef CUDART_MEMORY_H
#define CUDART_MEMORY_H

#include "cudart/call.h"

struct cudart_memory { // an allocation, or a range that the program registered
    uint64_t address, bytes;
    uint64_t mapped; // bytes of whole pages that are mapped in this process; 0: not mapped
    uint64_t twin;   // registered memory: its address on the device
    enum host_kind kind;
    unsigned flags; // flags of cudaHostAlloc or cudaHostRegister
    int lasting;    // 1: a managed variable, which a reset of the device does not free
    int device;     // the device that was current when the memory was allocated
    int reached;    // registered memory: 1 if the program asked for its device address, so that kernels may access the
                    // memory
};
// Returns the range that contains `address`, or NULL if the address is in the host's own memory.
struct cudart_memory *cudart_memory_find(uint64_t address);
// Adds a copy of the range to the table.
void cudart_memory_note(const struct cudart_memory *);
// Allocates device, pinned or managed memory, and stores its address. If `ordered` is 1, the allocation takes its place
// in the order of the stream. Returns 0 or an error.
cudaError_t cudart_memory_alloc(void **, size_t bytes, enum host_kind, unsigned flags, uint32_t stream, int ordered);
// Frees memory of the given kind. Returns 0, or an error if the memory has another kind.
cudaError_t cudart_memory_free(void *, enum host_kind, uint32_t stream, int ordered);
// Maps memory of the runner at its address in this process, and adds the range to the table. Takes ownership of the
// descriptor. Returns 0 or an error.
cudaError_t cudart_memory_map(uint64_t address, uint64_t bytes, enum host_kind, int descriptor);
// Copies registered memory that kernels may access. If `to_host` is 0, the bytes go to the devices, before a launch. If
// `to_host` is 1, the bytes come back after the launch. Returns 0 or an error.
cudaError_t cudart_memory_refresh(int to_host);
// Unmaps all memory of the device and removes the memory from the table.
void cudart_memory_reset(int device);

#endif
