// The layout of a kernel's .shared variables.
//
// A gap of 128 bytes at least follows each variable. Such a gap keeps the variables' banks as on a device, and catches
// an index that runs past an array.
#ifndef SIM_CORE_LAYOUT_H
#define SIM_CORE_LAYOUT_H

#include <stdint.h>

#include "ptx/ptx.h"
#include "sim/core/launch.h"

struct shared_layout {
    uint32_t *offset;         // [module->nvars]: of the .shared variables of the kernel and of functions it can call
    uint32_t placed_bytes;    // with gaps and dynamic shared memory
    uint32_t charged_bytes;   // that a device would allocate
    uint32_t dynamic_offset;  // of dynamic shared memory
    uint32_t dynamic_bytes;   //
    uint32_t reserved_offset; // of the part that the system reserves; 0: the kernel does not use it
};

enum { SIM_RESERVED_SHARED = 1024 }; // bytes that the system reserves

// Lays out the shared memory of kernel `func` with `dynamic` bytes of dynamic shared memory. The arena owns the arrays.
struct shared_layout layout_shared(const struct ptx_module *, uint32_t func, uint32_t dynamic, struct arena *);
// Returns the value of %reserved_smem_offset_… (`sreg`: enum ptx_sreg).
uint32_t layout_reserved(const struct shared_layout *, uint32_t sreg);
// Fills memory->extent for the launch that is about to run.
void layout_extents(struct sim_memory *, const struct sim_launch *);

#endif
