// Memory that the devices know: which ranges there are, and which of them the host may access.
#ifndef CUDART_MEMORY_H
#define CUDART_MEMORY_H

#include "cudart/call.h"

struct cudart_memory { // an allocation, or a range that was registered
    uint64_t address, bytes;
    uint64_t mapped; // bytes of whole pages that are mapped in this process; 0: none
    uint64_t twin;   // registered memory: its address on the device
    enum host_kind kind;
    unsigned flags; // of cudaHostAlloc or cudaHostRegister
    int lasting;    // 1: a managed variable, which a reset of the device keeps
    int device;     // the device that was current when the memory was made
    int reached;    // registered memory, 1: the program asked for its address on the device, so kernels may access it
};
// Returns the range that contains `address`, or NULL if the address is the host's own memory.
struct cudart_memory *cudart_memory_find(uint64_t address);
// Adds a range.
void cudart_memory_note(const struct cudart_memory *);
// Allocates memory of a kind; ordered 1: in the order of the stream. Returns 0 or an error.
cudaError_t cudart_memory_alloc(void **, size_t bytes, enum host_kind, unsigned flags, uint32_t stream, int ordered);
// Frees memory of the given kind. Returns 0, or an error if the memory has another kind.
cudaError_t cudart_memory_free(void *, enum host_kind, uint32_t stream, int ordered);
// Maps memory of the runner at its address in this process, and adds it; takes ownership of the descriptor.
cudaError_t cudart_memory_map(uint64_t address, uint64_t bytes, enum host_kind, int descriptor);
// Copies registered memory that kernels may access to the devices, before a launch, or back after it (to_host 1).
cudaError_t cudart_memory_refresh(int to_host);
// Forgets and unmaps all memory of the device.
void cudart_memory_reset(int device);

#endif
