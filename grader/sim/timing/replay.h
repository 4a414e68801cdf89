// One multiprocessor goes through recorded warps again, and counts cycles.
//
// Times are in 1/REPLAY_CYCLE of a cycle.
#ifndef SIM_TIMING_REPLAY_H
#define SIM_TIMING_REPLAY_H

#include <stdint.h>

#include "sim/core/launch.h"
#include "sim/timing/trace.h"

enum { REPLAY_CYCLE = 256, REPLAY_WHOLE = 1 << 16 };

// Where an op is executed. A scheduler's part of a multiprocessor has one of each but for the float pipe, of which it
// has as many as the profile's lanes make; the LSU is shared by all.
enum replay_pipe { REPLAY_NO_PIPE, REPLAY_ALU, REPLAY_MUL, REPLAY_FLOAT, REPLAY_EITHER, REPLAY_DOUBLE, REPLAY_SPECIAL };

// What one execution of an op by a warp costs, on the mean of the launch.
struct schedule; // schedule.h

struct replay_op {
    uint32_t issue;   // of its scheduler
    uint32_t busy;    // of its pipe
    uint32_t latency; // until its results are there; of a load, when the L1 has it
    uint32_t wait;    // until its warp goes on
    uint32_t lsu;     // of the LSU: its wavefronts
    uint32_t lane;    // of the unit that works on shared atomics
    uint32_t match;   // of the unit that compares lanes
    uint32_t missing; // of REPLAY_WHOLE executions: those that leave the multiprocessor; of loads the record says it
    uint32_t far;     // of REPLAY_WHOLE of these: those that DRAM answers
    uint32_t l2_latency, dram_latency;
    uint32_t l2, dram, atomic; // one that leaves: of the multiprocessor's share of these
    uint8_t pipe;              // enum replay_pipe
    uint8_t is_barrier;        // of the block
    uint8_t is_load;           // from global memory: recorded one by one
};

// The multiprocessor, and what runs on it.
struct replay {
    const struct sim_launch *launch;
    const struct replay_op *op; // [nops]
    const struct schedule *schedule;
    const struct trace *trace;
    uint64_t blocks;                  // that it runs, one after the other where they have no room
    uint64_t start;                   // from one block's start to the next one's, at the least
    uint64_t life;                    // of a block that does nothing
    uint64_t barrier, arrive;         // from the last arrival to going on; each warp that arrives
    uint64_t lsu_queue, memory_queue; // work of the LSU, and behind it, that waits without holding up a warp
    uint32_t float_pipes;
    uint64_t *spent; // [nops], or NULL: gets the time that warps of all blocks that ran spent at each op, with the
                     // waiting for its results
};

// From the first block's start to the last one's end; 0 when nothing was recorded. Depends on nothing but the argument.
uint64_t replay_run(const struct replay *);

#endif
