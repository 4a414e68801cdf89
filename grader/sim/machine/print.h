// Implements the printf function of device code, and reads strings from the kernel's memory.
#ifndef SIM_MACHINE_PRINT_H
#define SIM_MACHINE_PRINT_H

#include "sim/core/warp.h"

// Executes printf for one lane and adds the text to the block's print buffer. `format` is the generic address of the
// format string, and `args` is the generic address of the packed arguments. Returns the number of printed arguments, -1
// if `format` is 0, or -2 if the print buffer is full.
int print_vprintf(struct warp *, uint32_t op, uint32_t lane, uint64_t format, uint64_t args);
// Copies a string from the kernel's memory at a generic address to `out`, and adds a NUL. Stops copying at the first
// NUL or unreadable byte of the string, or after `capacity` - 1 characters.
void print_string(struct warp *, uint32_t op, uint32_t lane, uint64_t address, char *out, uint32_t capacity);

#endif
