// Hazards of host code: accesses to memory that a copy in flight still reads or writes; see hazard.c.
#ifndef CUDART_HAZARD_H
#define CUDART_HAZARD_H

#include <stdint.h>

// Installs the signal handler that reports accesses to memory which the host must not touch. watch 1: also protects
// pinned memory of copies in flight.
void cudart_hazard_begin(int watch);
// Removes all protection.
void cudart_hazard_end(void);
// Notes that the copy `ticket` reads (target 0) or writes (target 1) rows of host memory until its ticket is returned.
void cudart_hazard_watch(uint64_t ticket, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                         int target);
// Ends the watches of these tickets (`bytes` bytes of uint64_t): the host may use their memory again.
void cudart_hazard_over(const unsigned char *tickets, uint64_t bytes);
// Ends all watches of memory that is being freed.
void cudart_hazard_forget(uint64_t address, uint64_t bytes);

#endif
