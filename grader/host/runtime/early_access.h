// This file declares the detection of defects in host code: accesses to memory that a copy in flight still reads or
// writes; see early_access.c.
#ifndef HOST_RUNTIME_EARLY_ACCESS_H
#define HOST_RUNTIME_EARLY_ACCESS_H

#include <stdint.h>

// Installs the signal handler that reports accesses to memory which the host must not touch. If `watch` is 1, libcudart
// also protects page-locked memory of copies in flight.
void cudart_early_begin(int watch);
// Removes the page protection of the memory of all copies in flight.
void cudart_early_end(void);
// Protects the pages of the host memory that the copy with the number `ticket` reads (target 0) or writes (target 1).
// The pages stay protected until the runner process returns the copy's number (cudart_early_over()) or the program
// accesses the page.
void cudart_early_watch(uint64_t ticket, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height, int target);
// Removes the page protection of the copies whose numbers `tickets` holds (`bytes` bytes of uint64_t). The program has
// waited for the copies in `tickets`, so host code may use their memory again.
void cudart_early_over(const unsigned char *tickets, uint64_t bytes);
// Removes the protection of pages in memory that the program frees.
void cudart_early_forget(uint64_t address, uint64_t bytes);

#endif
