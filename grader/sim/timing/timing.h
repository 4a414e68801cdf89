// Estimates the time of a launch in picoseconds. Computes the time that each resource of the device would need alone,
// and the time that all resources need together.
#ifndef SIM_TIMING_TIMING_H
#define SIM_TIMING_TIMING_H

#include "engine/observation.h"
#include "sim/core/launch.h"
#include "sim/timing/l2.h"
#include "sim/timing/replay.h"
#include "sim/timing/trace.h"

// Holds the input of the timing model: the counters and records of a launch. The caller owns all memory that the
// pointers of struct timing_input point to.
struct timing_input {
    const struct sim_launch *launch;
    const struct counters *total; // counters of the whole grid
    const struct counters *op;    // [nops]: the whole grid's counters of each op
    const uint64_t *ran;          // [nops]: number of warps that executed the op
    const struct l2_loads *loads; // [nops]: the sources of the op's loads, counted in loads_blocks blocks
    uint64_t loads_blocks;
    uint64_t heaviest;    // work of the longest block, in units of an average block's work
    struct sim_path path; // of the launch, or the sum of its blocks' paths (waits.h); only the ratio counts
    uint64_t clock;       // highest clock that a warp read, in cycles since its block's start; 0: no clock was read
    uint32_t dram_part;   // part, in 1/REPLAY_WHOLE, of the sectors from DRAM that DRAM would also supply if
                          // the whole grid ran
    const struct trace *trace;
    uint64_t *warp_cycles; // [nops]: zeros on entry; receives the cycles that warps spend at each op
    uint32_t threads;      // number of host threads that may be used
};

// Estimates the time of a launch. Sets resource_ps, time_ps and bound of the observation, and warp_cycles of the input.
void timing_estimate(const struct timing_input *, struct observation *);

#endif
