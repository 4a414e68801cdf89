// Executes the barriers of a block (bar.sync, bar.red, bar.arrive) and finds deadlocks.
#ifndef SIM_MACHINE_BARRIER_H
#define SIM_MACHINE_BARRIER_H

#include "sim/core/warp.h"

// Completes the barriers that all expected threads have reached, and lets the waiting threads continue.
void barrier_check(struct block *);
// Makes one group of lanes that waits in front of an aligned barrier (SPLIT_PARKED) arrive at the barrier. The caller
// must have found that no lane of the warp can continue without barrier_unpark(). Returns 1, or 0 if no lanes of the
// warp wait in front of an aligned barrier.
int barrier_unpark(struct warp *);
// Handles a block in which no thread can continue. If warps wait at warp operations such as shuffles, executes these
// operations without the missing lanes and returns 1. If no warp waits at a warp operation, adds a deadlock finding,
// which ends the launch, and returns 0.
int barrier_deadlock(struct block *);
// Adds a deadlock finding at the op and lane of a warp of the block, with a list of all threads of the block that wait,
// and ends the launch. `text` says more about the cause; NULL: nothing.
void barrier_report_deadlock(const struct block *, struct warp *, uint32_t op, uint32_t lane, const char *text);

#endif
