// Estimates the time of a launch in picoseconds: the time that each resource of the device would need alone, and the
// time of all resources together.
#ifndef SIM_TIMING_TIMING_H
#define SIM_TIMING_TIMING_H

#include "engine/observation.h"
#include "sim/core/launch.h"
#include "sim/timing/l2.h"
#include "sim/timing/replay.h"
#include "sim/timing/trace.h"

// The input of the model: what a launch executed. The caller owns everything that it points to.
struct timing_input {
    const struct sim_launch *launch;
    const struct counters *total; // the counters of the whole grid
    const struct counters *op;    // [nops]: the grid's counters of each op
    const uint64_t *ran;          // [nops]: number of warps that executed the op
    const struct l2_loads *loads; // [nops]: the sources of its loads, in loads_blocks blocks
    uint64_t loads_blocks;
    uint64_t heaviest;  // work of the longest block, in average blocks
    uint64_t clock;     // highest clock that a warp read, in cycles since its block's start; 0: none
    uint32_t dram_part; // in 1/REPLAY_WHOLE: of the sectors that DRAM supplied, the part that it also supplies in the
                        // whole grid
    const struct trace *trace;
    uint64_t *warp_cycles; // [nops]: zeros on entry; receives the cycles that warps spend at each op
    uint32_t threads;      // number of host threads that may be used
};

// Fills resource_ps, time_ps and bound of the observation, and warp_cycles of the input.
void timing_estimate(const struct timing_input *, struct observation *);

#endif
