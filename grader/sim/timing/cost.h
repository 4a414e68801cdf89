// What ops cost on a device, for the replay of a multiprocessor.
#ifndef SIM_TIMING_COST_H
#define SIM_TIMING_COST_H

#include "sim/timing/replay.h"
#include "sim/timing/timing.h"

// What the device as a whole would need for the launch's traffic, in picoseconds.
struct cost_traffic {
    uint64_t l2_reads, l2_writes, dram_reads, dram_writes, atomics;
};

// Fills out[nops]. `part` of `whole`: the blocks that the busiest multiprocessor has, of the launch's.
void cost_ops(const struct timing_input *, const struct cost_traffic *, uint64_t part, uint64_t whole,
              struct replay_op *out);
// Takes away what resources make wait for, and leaves latencies.
void cost_only_latency(struct replay_op *, uint32_t nops);

#endif
