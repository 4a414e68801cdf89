// Barriers of the block: completes them, and decides when nothing in the block can go on.
#ifndef SIM_MACHINE_BARRIER_H
#define SIM_MACHINE_BARRIER_H

#include "sim/core/warp.h"

// Completes the barriers that all expected threads have reached, and lets those threads go on.
void barrier_check(struct block *);
// Lets a split that is parked before an aligned barrier arrive there, because no other lane of its warp can go on.
// Returns 1 if there was such a split.
int barrier_unpark(struct warp *);
// Handles a block in which no thread can go on. Returns 1 if some thread may go on after all. Otherwise it makes the
// finding, which ends the launch, and returns 0.
int barrier_deadlock(struct block *);

#endif
