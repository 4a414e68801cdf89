// Executes the barriers of a block (bar.sync, bar.red, bar.arrive) and finds deadlocks.
#ifndef SIM_MACHINE_BARRIER_H
#define SIM_MACHINE_BARRIER_H

#include "sim/core/warp.h"

// Completes the barriers that all expected threads have reached, and lets the waiting threads continue.
void barrier_check(struct block *);
// Lets a split that is parked before an aligned barrier arrive at the barrier. The caller has found that no other lane
// of the warp can continue. Returns 1 if the warp had a parked split.
int barrier_unpark(struct warp *);
// Handles a block in which no thread can continue. Executes waiting warp operations, even without all their lanes, and
// returns 1 if there are any. Otherwise adds a deadlock finding, which ends the launch, and returns 0.
int barrier_deadlock(struct block *);

#endif
