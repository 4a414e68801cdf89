// The device's printf and assert.
#ifndef SIM_MACHINE_PRINT_H
#define SIM_MACHINE_PRINT_H

#include "sim/core/warp.h"

// Prints for a lane: `format` and `args` are generic addresses. Returns the number of arguments that it read.
int print_vprintf(struct warp *, uint32_t op, uint32_t lane, uint64_t format, uint64_t args);
// Copies a string from the kernel's memory to `out`, with a NUL at the end. It stops at the first unreadable byte and
// after `capacity` - 1 characters.
void print_string(struct warp *, uint32_t op, uint32_t lane, uint64_t address, char *out, uint32_t capacity);

#endif
