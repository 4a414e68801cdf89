// Runs the blocks of a launch. See grid.c for the theory.
#ifndef SIM_MACHINE_GRID_H
#define SIM_MACHINE_GRID_H

#include <stdint.h>

#include "sim/core/launch.h"
#include "sim/core/plan.h"
#include "sim/timing/l2.h"
#include "sim/timing/merging.h"
#include "sim/timing/sample.h"
#include "sim/timing/trace.h"

// One launch. The caller fills the first part; grid_run the second.
struct grid {
    struct sim_launch launch;
    uint8_t params[PLAN_PARAM_BYTES]; // the kernel's, as laid out by the plan
    uint64_t workspace;               // see run.h
    uint64_t print_bytes;             // of what it prints, as many are kept
    uint32_t threads;                 // host threads

    // Of the whole grid: where blocks were left out, of those that ran for all that they stand for.
    struct counters *op; // [nops]
    uint64_t *taken;     // [nops]: threads that took a conditional branch
    uint64_t *ran;       // [nops]: warps that executed it
    // Of the blocks that the L2 has seen.
    uint64_t l2_blocks;
    struct l2_loads *loads; // [nops]: to its loads
    struct merging merging;
    struct trace trace;
    struct sample_set samples;
    struct finding_log *findings;
    struct text *print;
    uint64_t blocks_run, executed, longest; // longest: what one block executed at the most
    uint64_t clock;                         // the latest that a warp read, in cycles since its block's start
    int stopped;                            // 1: a finding ended the launch
    struct l2 *l2;
    struct counters l2_counters; // what the L2 counted, of l2_blocks
};

void grid_run(struct grid *);
// Frees what grid_run made.
void grid_free(struct grid *);

#endif
