// Memory that the simulated devices know: what lies where, and what the host may touch of it.
#ifndef CUDART_MEMORY_H
#define CUDART_MEMORY_H

#include "cudart/call.h"

struct cudart_memory { // an allocation, or a range that was registered
    uint64_t address, bytes;
    uint64_t mapped; // bytes mapped in this process, whole pages; 0: none
    uint64_t twin;   // registered memory: the device's name for it
    enum host_kind kind;
    unsigned flags; // of cudaHostAlloc or cudaHostRegister
    int lasting;    // 1: a managed variable, which a reset of the device leaves
    int device;     // that was current
    int reached;    // registered memory: the device's name was asked for, so kernels may touch it
};
// The range that holds `address`, or NULL when it is the host's own.
struct cudart_memory *cudart_memory_find(uint64_t address);
void cudart_memory_note(const struct cudart_memory *);
cudaError_t cudart_memory_alloc(void **, size_t bytes, enum host_kind, unsigned flags, uint32_t stream, int ordered);
// `kind` is what the function that was called frees.
cudaError_t cudart_memory_free(void *, enum host_kind, uint32_t stream, int ordered);
// A piece of managed memory that came with a __managed__ variable.
cudaError_t cudart_memory_map(uint64_t address, uint64_t bytes, enum host_kind, int descriptor);
// Registered memory that kernels may touch is brought to the devices before a launch and back behind it.
cudaError_t cudart_memory_refresh(int to_host);
// All that the device held is gone.
void cudart_memory_reset(int device);

#endif
