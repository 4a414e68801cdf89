// Models request merging. If different multiprocessors load the same sectors at about the same time, the L2 gets one
// request.
#ifndef SIM_TIMING_MERGING_H
#define SIM_TIMING_MERGING_H

#include "engine/observation.h"
#include "sim/core/launch.h"

// How much of their data the blocks of a launch share, in permille.
struct merging {
    uint32_t row, column; // permille of a block's loaded bytes that another block of its row, or column, loads too
    uint32_t stored;      // permille of a block's partly stored sectors that a neighbouring block stores in part, too
};

// Returns the time within which all resident blocks reach the same load, in hundredths of a cycle. Each block of a
// multiprocessor reaches the load half of `latency` after the block before. `latency` has the same unit.
uint64_t merging_span(const struct sim_launch *, int64_t latency);

// Subtracts the loads that were merged with other loads from the L2's counters.
void merging_count(const struct merging *, const struct sim_launch *, struct counters *);

#endif
