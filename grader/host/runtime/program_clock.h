// This file declares the functions that control the simulated clocks which the program reads; see program_clock.c.
#ifndef HOST_RUNTIME_PROGRAM_CLOCK_H
#define HOST_RUNTIME_PROGRAM_CLOCK_H

#include <stdint.h>

// Starts the program's clocks at its first API call. If `deterministic` is 1, the program's clocks do not count real
// time outside of API calls.
void cudart_clock_begin(int deterministic);
// The function cudart_clock_enter() records that an API call begins, and cudart_clock_leave() records that it ends. The
// program's clocks do not count the real time between cudart_clock_enter() and cudart_clock_leave().
void cudart_clock_enter(void);
void cudart_clock_leave(void);
// Sets the host's virtual time in ps, which comes from the runner's last reply.
void cudart_clock_is(uint64_t host_ps);

// Returns the host's virtual time in ps.
uint64_t cudart_clock_ps(void);

#endif
