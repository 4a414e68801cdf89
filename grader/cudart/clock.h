// This file declares the functions that control the simulated clocks which the program reads; see clock.c.
#ifndef CUDART_CLOCK_H
#define CUDART_CLOCK_H

#include <stdint.h>

// Starts the program's clocks at its first API call. If `deterministic` is 1, real time outside of API calls does not
// count.
void cudart_clock_begin(int deterministic);
// The function cudart_clock_enter() records that an API call begins, and cudart_clock_leave() records that it ends. On
// the program's clocks, real time inside an API call does not count.
void cudart_clock_enter(void);
void cudart_clock_leave(void);
// Sets the host's virtual time in ps, which comes from the runner's last reply.
void cudart_clock_is(uint64_t host_ps);

#endif
