// The origin of undefined values in a thread's local memory. Unoptimised code keeps every variable in local memory. A
// finding names the load that brought the value, not the variable that held it meanwhile.
#ifndef SIM_HAZARD_ORIGIN_H
#define SIM_HAZARD_ORIGIN_H

#include "sim/core/access.h"

// Records the origin of a value with undefined bits that a lane stored at `at`. NULL: the stored value is defined. The
// value is copied.
void origin_keep(struct sim_warp *, uint32_t lane, uint64_t at, uint32_t bytes, const struct sim_undefined *);
// Returns the recorded origin of the word at `at`, or NULL if there is none.
const struct sim_undefined *origin_of(const struct sim_warp *, uint32_t lane, uint64_t at);
void origin_forget(struct sim_warp *); // forgets all origins, because a new block begins
void origin_free(struct sim_warp *);

#endif
