// How long a launch takes: an interval model over its counters, in picoseconds of fixed point.
#ifndef SIM_TIMING_H
#define SIM_TIMING_H

#include "engine/observation.h"
#include "sim/launch.h"

// Fills resource_ps, time_ps and bound from the counters of the whole launch. Reads of the launch: device, blocks,
// blocks_per_sm, warps.
void sim_time(const struct sim_launch *, const struct counters *, struct observation *);

#endif
