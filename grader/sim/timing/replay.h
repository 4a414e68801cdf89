// Replays the recorded ops of warps on a model of one multiprocessor and counts the cycles. All times in this header
// are in 1/REPLAY_CYCLE of a cycle.
#ifndef SIM_TIMING_REPLAY_H
#define SIM_TIMING_REPLAY_H

#include <stdint.h>

#include "sim/core/launch.h"
#include "sim/timing/trace.h"

enum { REPLAY_CYCLE = 256, REPLAY_WHOLE = 1 << 16 };

// Names the pipe that executes an op. Each scheduler has one pipe of each kind, and several float pipes if the device
// has more FP32 lanes than integer lanes. All schedulers share the LSU.
enum replay_pipe { REPLAY_NO_PIPE, REPLAY_ALU, REPLAY_MUL, REPLAY_FLOAT, REPLAY_EITHER, REPLAY_DOUBLE, REPLAY_SPECIAL };

struct schedule; // schedule.h

// Holds the mean cost of an op, i.e. the times that one execution of the op by one warp takes in each unit.
struct replay_op {
    uint32_t issue;   // time that the op occupies its scheduler
    uint32_t busy;    // time that the op occupies its pipe
    uint32_t latency; // time until the op's results are available; for a load, the time of an L1 hit
    uint32_t wait;    // time until the warp may issue its next op
    uint32_t lsu;     // time that the op's wavefronts occupy the LSU
    uint32_t lane;    // time that the op occupies the unit for shared atomics
    uint32_t match;   // time that the op occupies the unit that compares the lanes' values
    uint32_t missing; // executions that leave the multiprocessor, in 1/REPLAY_WHOLE; for loads, the trace tells which
    uint32_t far;     // the part of `missing` that DRAM answers, in 1/REPLAY_WHOLE
    uint32_t l2_latency, dram_latency;
    uint32_t l2, dram, atomic; // time that an execution that leaves the multiprocessor occupies its share of each unit
    uint8_t pipe;              // enum replay_pipe
    uint8_t is_barrier;        // 1: a barrier of the block
    uint8_t is_load;           // 1: a load from global memory; the trace has a record of each execution
};

// Holds the input of a replay: the multiprocessor, and the blocks that run on the multiprocessor. The caller owns all
// memory that the pointers of struct replay point to.
struct replay {
    const struct sim_launch *launch;
    const struct replay_op *op; // [nops]
    const struct schedule *schedule;
    const struct trace_slot *const *slot; // [slots]: the recorded blocks, which are replayed in turn
    uint32_t slots;
    const uint64_t *ran; // [nops]: number of warps that executed the op, summed over ran_blocks blocks
    uint64_t ran_blocks;
    uint64_t chain;           // mean chain of the recorded blocks (trace.h)
    uint64_t blocks;          // number of blocks that the multiprocessor runs; a block starts when there is room
    uint64_t start;           // minimum time between the starts of two blocks
    uint64_t life;            // time of a block that executes nothing
    uint64_t barrier, arrive; // time from the last arrival to the release; time of each arrival
    uint64_t lsu_queue,
        memory_queue;    // work that may wait for the LSU, or the memory behind the LSU, without delaying a warp
    uint64_t dram_queue; // service time of the queue model of DRAM (replay.c)
    uint64_t dram_span;  // the time over which DRAM's utilization is measured
    uint32_t float_pipes;
    const uint64_t *apart; // [nops]: number of warps of the longest block that executed the op; 0: also if no block is
                           // much longer than others
    uint32_t *unseen;      // or NULL: receives the part of the warps' time, in thousandths, that the recorded blocks do
                           // not represent (replay.c)
    uint64_t *spent;       // [nops], or NULL: receives the time that the warps of ran_blocks blocks spent at each op,
                           // including the wait for the op's results
};

// Runs the replay. Returns the time from the first block's start to the last block's end, or 0 if no op was recorded.
// Each recorded block is replayed at least once. If the multiprocessor runs fewer blocks than were recorded, the result
// is therefore the mean of several replays. The result of replay_run() depends on its argument alone.
uint64_t replay_run(const struct replay *);

#endif
