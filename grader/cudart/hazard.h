// Hazards of the host: what the host's own code does to memory that a copy is still reading or writing.
#ifndef CUDART_HAZARD_H
#define CUDART_HAZARD_H

#include <stdint.h>

// Installs the handler that names what host code did when it touches memory that is not its own; `watch`: pinned
// buffers in flight are protected too.
void cudart_hazard_begin(int watch);
// Nothing is protected any more.
void cudart_hazard_end(void);
// The copy `ticket` reads (target 0) or writes (target 1) rows of host memory until its ticket is handed over.
void cudart_hazard_watch(uint64_t ticket, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height,
                         int target);
// These tickets (uint64_t each) are over: the host may touch their memory.
void cudart_hazard_over(const unsigned char *tickets, uint64_t bytes);
// The memory is freed.
void cudart_hazard_forget(uint64_t address, uint64_t bytes);

#endif
