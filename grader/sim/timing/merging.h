// Loads of different multiprocessors that ask for the same sectors at about the same time: the L2 sees one of them.
#ifndef SIM_TIMING_MERGING_H
#define SIM_TIMING_MERGING_H

#include "engine/observation.h"
#include "sim/core/launch.h"

// What blocks of a launch have in common: permille of the bytes that a block loads which another one of its row, of its
// column, loads; and of the sectors that it leaves stored in part those which the next one of its row, or column,
// stores too.
struct merging {
    uint32_t row, column, stored;
};

// How far apart blocks that are resident at once run the same code, in hundredths of cycles: each half this latency
// behind the one before on its multiprocessor.
uint64_t merging_span(const struct sim_launch *, int64_t latency);

// The L2's counters lose the loads that met others.
void merging_count(const struct merging *, const struct sim_launch *, struct counters *);

#endif
