// Computes how long each op of a launch occupies the units of a multiprocessor. The replay of a multiprocessor
// (replay.h) uses the costs of the ops.
#ifndef SIM_TIMING_COST_H
#define SIM_TIMING_COST_H

#include "sim/timing/replay.h"
#include "sim/timing/timing.h"

// Holds the time in picoseconds that the whole device would need for each kind of the launch's memory traffic alone.
struct cost_traffic {
    uint64_t l2_reads, l2_writes, dram_reads, dram_writes, atomics;
};

// Computes the cost of each op of the launch and stores the costs in out[nops]. The stored costs are the costs on a
// multiprocessor that runs `part` of the launch's `whole` blocks.
void cost_ops(const struct timing_input *, const struct cost_traffic *, uint64_t part, uint64_t whole,
              struct replay_op *out);
// Returns the cycles in which the launch's calls of the CUDA runtime's routines, such as malloc(), take turns.
uint64_t cost_turns(const struct timing_input *);
// Sets the times that each op occupies units of the multiprocessor to 0 or almost 0, so that only the op's latencies
// remain.
void cost_only_latency(struct replay_op *, uint32_t nops);

#endif
