// Finds the order in which a device executes the ops of a basic block.
#ifndef SIM_TIMING_SCHEDULE_H
#define SIM_TIMING_SCHEDULE_H

#include <stdint.h>

#include "sim/core/program.h"
#include "sim/timing/replay.h"

// Holds the order in which a device executes a program's ops. The arrays of struct schedule are indexed by the position
// of an op in the execution order. Ops change their positions only within a scheduling region, and loads from global
// memory keep their order among each other. A scheduling region is a basic block, or several basic blocks that become
// one block when short branches are turned into guards.
struct schedule {
    uint32_t *op;           // the op at this position
    uint32_t *first, *last; // the first and last position of this position's region
};
// Computes the schedule of a program in which op k costs cost[k]. The caller frees the schedule with schedule_free().
void schedule_ops(struct schedule *, const struct sim_program *, const struct replay_op *);
void schedule_free(struct schedule *);

#endif
