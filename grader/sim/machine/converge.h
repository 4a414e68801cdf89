// Executes warp operations, in which several lanes take part at once: shuffles, votes, matches, reductions and
// __syncwarp().
#ifndef SIM_MACHINE_CONVERGE_H
#define SIM_MACHINE_CONVERGE_H

#include "sim/core/warp.h"

// Handles an op of plan->exchange for the lanes of `mask`. The op executes once all lanes that its lane mask names have
// arrived. Until then, the lanes wait.
sim_handler converge;
// Executes the waiting warp operations whose lanes have all arrived. `force` 1: also executes operations of which some
// lanes cannot arrive, and reports these lanes. Returns 1 if any operation was executed.
int converge_retry(struct warp *, int force);

#endif
