// Warp operations that need several lanes at one place: shuffles, votes, matches, __syncwarp() and their like.
#ifndef SIM_MACHINE_CONVERGE_H
#define SIM_MACHINE_CONVERGE_H

#include "sim/core/warp.h"

// Executes an op of plan->exchange for the lanes of `mask`, once all lanes that it names have arrived.
sim_handler converge;
// Executes the waiting warp operations of which all lanes have arrived; `force` 1: also those of which no further lane
// can arrive. Returns 1 if it executed any.
int converge_retry(struct warp *, int force);

#endif
