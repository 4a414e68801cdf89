// Places a kernel's .shared variables in the shared window.
//
// A gap of at least 128 bytes follows each .shared variable. The gaps between .shared variables leave the variables in
// the same banks as on a device. An index that runs past the end of a .shared array falls into a gap, so the bounds
// check recognises the error.
#ifndef SIM_CORE_LAYOUT_H
#define SIM_CORE_LAYOUT_H

#include <stdint.h>

#include "sim/core/launch.h"

struct arena;
struct ptx_module;

struct shared_layout {
    uint32_t *offset;         // [module->nvars]: window offsets of the .shared variables that the kernel can use
    uint32_t placed_bytes;    // size in bytes, including gaps and dynamic shared memory
    uint32_t charged_bytes;   // bytes that a device would allocate
    uint32_t dynamic_offset;  // window offset of dynamic shared memory
    uint32_t dynamic_bytes;   // size of dynamic shared memory
    uint32_t reserved_offset; // window offset of the reserved part; 0: the kernel does not use the reserved part
};

enum { SIM_RESERVED_SHARED = 1024 }; // bytes of shared memory that the system reserves for each block

// Places the .shared variables of kernel `func`, followed by `dynamic` bytes of dynamic shared memory. `func`: index in
// module->func. The arena owns the arrays of the returned struct shared_layout.
struct shared_layout layout_shared(const struct ptx_module *, uint32_t func, uint32_t dynamic, struct arena *);
// Returns the value of the special register `sreg`, one of %reserved_smem_offset_…, in bytes. `sreg`: enum ptx_sreg.
uint32_t layout_reserved(const struct shared_layout *, uint32_t sreg);
// Fills memory->extent with the kernel's .shared arrays for the launch that is about to run. The struct sim_memory owns
// the array `extent`.
void layout_extents(struct sim_memory *, const struct sim_launch *);

#endif
