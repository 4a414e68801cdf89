// Executes warp operations, in which several lanes take part at once: shuffles, votes, matches, reductions and
// __syncwarp().
#ifndef SIM_MACHINE_CONVERGE_H
#define SIM_MACHINE_CONVERGE_H

#include "sim/core/warp.h"

// Handles a warp operation such as a shuffle (an op of plan->exchange) for the lanes of `mask`. The lanes wait until
// all lanes that the operation's lane mask names have arrived, and then execute the operation together.
sim_handler converge;
// Executes the waiting warp operations whose lanes have all arrived. If `force` is 1, also executes warp operations for
// which some lanes cannot arrive, and reports the missing lanes. Returns 1 if any warp operation was executed.
int converge_retry(struct warp *, int force);

#endif
