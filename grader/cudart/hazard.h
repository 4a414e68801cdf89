// This file declares the detection of hazards in host code: accesses to memory that a copy in flight still reads or
// writes; see hazard.c.
#ifndef CUDART_HAZARD_H
#define CUDART_HAZARD_H

#include <stdint.h>

// Installs the signal handler that reports accesses to memory which the host must not touch. If `watch` is 1, pinned
// memory of copies in flight is also protected.
void cudart_hazard_begin(int watch);
// Removes the protection of all watched memory.
void cudart_hazard_end(void);
// Records that the copy `ticket` reads (target 0) or writes (target 1) rows of host memory. The record lasts until the
// runner returns the ticket.
void cudart_hazard_watch(uint64_t ticket, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                         int target);
// Ends the watches of the given tickets (`bytes` bytes of uint64_t), because the host may use the memory of these
// copies again.
void cudart_hazard_over(const unsigned char *tickets, uint64_t bytes);
// Ends all watches of memory that the program frees.
void cudart_hazard_forget(uint64_t address, uint64_t bytes);

#endif
