// The clocks that the program reads: see clock.c.
#ifndef CUDART_CLOCK_H
#define CUDART_CLOCK_H

#include <stdint.h>

void cudart_clock_begin(int same_on_every_run);
// A call of the API begins, and ends: its real time does not count.
void cudart_clock_enter(void);
void cudart_clock_leave(void);
// The virtual clock of the host, as the last reply told it.
void cudart_clock_is(uint64_t host_ps);

#endif
