// Models how load requests of different multiprocessors are merged on their way to the L2. If several multiprocessors
// load the same sector at about the same time, the L2 gets only one request.
#ifndef SIM_TIMING_MERGING_H
#define SIM_TIMING_MERGING_H

#include "engine/observation.h"
#include "sim/core/launch.h"

// Tells how much of a block's data other blocks of the launch load or store, too.
struct merging {
    uint32_t row, column; // permille of a block's loaded bytes that another block of its row, or column, loads too
    uint32_t stored;      // permille of a block's partly stored sectors that a neighbouring block stores in part, too
};

// Returns the time within which all resident blocks reach the same load instruction, in hundredths of a cycle. The
// model assumes that the blocks of a multiprocessor reach the load instruction one after the other, `latency` / 2
// apart. `latency` is in hundredths of a cycle.
uint64_t merging_span(const struct sim_launch *, int64_t latency);

// Subtracts the sectors of merged load requests from the counters of L2 loads and L2 hits.
void merging_count(const struct merging *, const struct sim_launch *, struct counters *);

#endif
