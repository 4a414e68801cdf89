// Where the undefined values in a thread's local memory came from: unoptimised code keeps every variable there, and a
// finding is to name the load that brought the value, not the variable that it went through.
#ifndef SIM_HAZARD_ORIGIN_H
#define SIM_HAZARD_ORIGIN_H

#include "sim/core/access.h"

// A lane stored a value with undefined bits, which is not as it lay in memory, at `at`; or, with NULL, any other. The
// value is copied.
void origin_keep(struct sim_warp *, uint32_t lane, uint64_t at, uint32_t bytes, const struct sim_undefined *);
// What was kept of the word at `at`; NULL: nothing.
const struct sim_undefined *origin_of(const struct sim_warp *, uint32_t lane, uint64_t at);
void origin_forget(struct sim_warp *); // all of it: a block begins
void origin_free(struct sim_warp *);

#endif
