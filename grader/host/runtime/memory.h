// This file declares the table of the memory that the program has allocated or registered with CUDA. For each range of
// memory that the program allocated or registered with CUDA, libcudart's table of memory holds the range's addresses
// and its kind, such as device or pinned memory.
#ifndef HOST_RUNTIME_MEMORY_H
#define HOST_RUNTIME_MEMORY_H

#include "host/runtime/call.h"

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
// Returns the range in the table of CUDA memory that contains `address`, or NULL if CUDA neither allocated nor
// registered the memory at `address`.
struct cudart_memory *cudart_memory_find(uint64_t address);
// Returns 1 if CUDA allocated the memory at `address` on a device (cudaMalloc).
int cudart_memory_is_device(uint64_t address);
// Returns 1 if kernels may use memory of the host under other addresses than those of pinned memory: managed memory, or
// registered memory whose device address the program knows.
int cudart_memory_is_shared(void);
// Adds a copy of the range to the table of CUDA memory.
void cudart_memory_note(const struct cudart_memory *);
// Allocates device, pinned or managed memory, and stores the memory's address. If `ordered` is 1, the allocation is an
// operation in the order of the stream, as with cudaMallocAsync. Returns 0 or a cudaError_t.
cudaError_t cudart_memory_alloc(void **, size_t bytes, enum host_kind, unsigned flags, uint32_t stream, int ordered);
// Frees memory of the given kind. Returns 0, or a cudaError_t, for example if the memory is of another kind than the
// argument says.
cudaError_t cudart_memory_free(void *, enum host_kind, uint32_t stream, int ordered);
// Maps a memory file of the runner process at `address` in the program's process, and adds the range to the table of
// CUDA memory. The function takes ownership of `descriptor`, the memory file's descriptor. Returns 0 or a cudaError_t.
cudaError_t cudart_memory_map(uint64_t address, uint64_t bytes, enum host_kind, int descriptor);
// Copies registered host memory between the host and the devices: all ranges that the program registered and that
// kernels may access. If `to_host` is 0, cudart_memory_refresh() copies registered memory to the devices, as is
// necessary before a launch. If `to_host` is 1, cudart_memory_refresh() copies registered memory back to the host, as
// is necessary after a launch. Returns 0 or a cudaError_t.
cudaError_t cudart_memory_refresh(int to_host);
// Unmaps the memory that was allocated on the device, and removes it from the table of CUDA memory. Keeps registered
// memory and managed variables in the table of CUDA memory.
void cudart_memory_reset(int device);

#endif
