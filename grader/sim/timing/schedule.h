// The order in which a device executes the ops of a basic block.
#ifndef SIM_TIMING_SCHEDULE_H
#define SIM_TIMING_SCHEDULE_H

#include <stdint.h>

#include "sim/core/program.h"
#include "sim/timing/replay.h"

// By place in the program. Ops change places within a region, and loads from global memory keep their order. A region
// is a basic block, or several that become one when short branches are turned into guards.
struct schedule {
    uint32_t *op;           // that stands there
    uint32_t *first, *last; // of its region's places
};
void schedule_ops(struct schedule *, const struct sim_program *, const struct replay_op *);
void schedule_free(struct schedule *);

#endif
