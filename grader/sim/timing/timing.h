// How long a launch takes, in picoseconds of fixed point: what each resource of the device alone would need, and what
// all take together.
#ifndef SIM_TIMING_TIMING_H
#define SIM_TIMING_TIMING_H

#include "engine/observation.h"
#include "sim/core/launch.h"
#include "sim/timing/l2.h"
#include "sim/timing/replay.h"
#include "sim/timing/trace.h"

// What the model looks at.
struct timing_input {
    const struct sim_launch *launch;
    const struct counters *total; // of the whole grid
    const struct counters *op;    // [nops], likewise
    const uint64_t *ran;          // [nops]: warps that executed it
    const struct l2_loads *loads; // [nops]: to its loads, of so many blocks:
    uint64_t loads_blocks;
    uint64_t heaviest;  // block: in blocks of average work
    uint64_t clock;     // the latest that a warp read, in cycles since its block's start; 0: none read it
    uint32_t dram_part; // of REPLAY_WHOLE of these by DRAM: those that the whole grid has from there, too
    const struct trace *trace;
    uint64_t *warp_cycles; // [nops]: zeros, to be filled
    uint32_t threads;      // of the host, that may be about it
};

// Fills resource_ps, time_ps and bound, and the cycles that warps spend at each op.
void timing_estimate(const struct timing_input *, struct observation *);

#endif
