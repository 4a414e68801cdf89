// The clocks that the program reads; see clock.c.
#ifndef CUDART_CLOCK_H
#define CUDART_CLOCK_H

#include <stdint.h>

// Starts the clocks with the program's first call. deterministic 1: real time outside of calls does not count.
void cudart_clock_begin(int deterministic);
// Note that a call of the API begins and ends; real time in between does not count.
void cudart_clock_enter(void);
void cudart_clock_leave(void);
// Sets the host's virtual time, ps, as the last reply stated it.
void cudart_clock_is(uint64_t host_ps);

#endif
