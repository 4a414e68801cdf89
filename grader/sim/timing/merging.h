// Models request merging: loads of different multiprocessors that ask for the same sectors at about the same time reach
// the L2 as one request.
#ifndef SIM_TIMING_MERGING_H
#define SIM_TIMING_MERGING_H

#include "engine/observation.h"
#include "sim/core/launch.h"

// How much of their data the blocks of a launch share, in permille.
struct merging {
    uint32_t row, column; // of the bytes that a block loads: those that another block of its row, or column, loads too
    uint32_t stored;      // of the sectors that a block stores in part: those that a neighbour stores in part, too
};

// Returns the time within which all resident blocks reach the same load, in hundredths of a cycle. A block of a
// multiprocessor comes half of `latency`, in the same unit, after the block before it.
uint64_t merging_span(const struct sim_launch *, int64_t latency);

// Subtracts merged loads from the L2's counters.
void merging_count(const struct merging *, const struct sim_launch *, struct counters *);

#endif
