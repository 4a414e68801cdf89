// Computes the cost of each op on a device, for the replay of a multiprocessor (replay.h).
#ifndef SIM_TIMING_COST_H
#define SIM_TIMING_COST_H

#include "sim/timing/replay.h"
#include "sim/timing/timing.h"

// The time that the whole device would need for each kind of the launch's traffic alone, in picoseconds.
struct cost_traffic {
    uint64_t l2_reads, l2_writes, dram_reads, dram_writes, atomics;
};

// Computes the costs of all ops and stores the costs in out[nops]. The costs are for a multiprocessor that runs `part`
// of the launch's `whole` blocks.
void cost_ops(const struct timing_input *, const struct cost_traffic *, uint64_t part, uint64_t whole,
              struct replay_op *out);
// Removes the time that the ops occupy resources from the costs, so that only latencies remain.
void cost_only_latency(struct replay_op *, uint32_t nops);

#endif
