// Runs the blocks of a launch on host threads. The file grid.c explains how blocks are spread over host threads.
#ifndef SIM_MACHINE_GRID_H
#define SIM_MACHINE_GRID_H

#include <stdint.h>

#include "sim/core/launch.h"
#include "sim/core/plan.h"
#include "sim/timing/l2.h"
#include "sim/timing/merging.h"
#include "sim/timing/sample.h"
#include "sim/timing/trace.h"

struct sampling_memo;
// Describes one launch and its results. The caller fills in the fields of a struct grid up to `threads`, and grid_run()
// fills in the other fields.
struct grid {
    struct sim_launch launch;
    uint8_t params[PLAN_PARAM_BYTES]; // the kernel's parameters, as laid out by the plan
    uint64_t workspace;               // see sim_run.h
    uint64_t print_bytes;             // limit of the printed text that is kept, in bytes
    uint32_t threads;                 // host threads
    struct sampling_memo *memo;       // what earlier launches found out for their sampling plans; NULL: nothing
    struct l2_lines *lines;           // what the device's L2 holds; NULL: the launch simulates no caches
    struct sim_watcher *watcher;      // watches some blocks, on one host thread; NULL: nobody watches

    // The arrays op, taken and ran hold counts for the whole grid. In a sampled launch, the counts in op, taken and ran
    // are scaled up from the sampled blocks.
    struct counters *op;    // [nops]
    uint64_t *taken;        // [nops]: threads that took a conditional branch
    uint64_t *ran;          // [nops]: warps that executed the op
    uint64_t l2_blocks;     // number of blocks that the L2 simulated
    struct l2_loads *loads; // [nops]: L2 results of the op's loads, in these blocks
    struct merging merging;
    struct trace trace;
    struct sample_set samples;
    struct finding_log *findings;
    struct text *print;
    uint64_t written; // words of the arguments' buffers that the launch wrote first, scaled
    int exact;        // 1: the sample represents all blocks exactly; see sampling_plan.h
    // executed: warp instructions; charged: work of the checks, as warp instructions, which counts to the budget only;
    // longest: most warp instructions of a block
    uint64_t blocks_run, executed, charged, longest;
    struct sim_path path;         // of the launch, if blocks took turns; otherwise the sum of its blocks' paths
    struct sim_path longest_path; // of a block
    uint64_t longest_block;       // index of this block
    uint64_t clock;               // latest clock value that a warp read, in cycles since its block's start
    int stopped;                  // 1: a finding ended the launch
    uint32_t crowded;             // blocks that all wait, where a device has room for more; 0: no such case
    struct l2 *l2;
    struct counters l2_counters; // counters of the L2, for the l2_blocks blocks
};

// Runs the launch and stores its results in the grid. The caller frees the results with grid_free().
void grid_run(struct grid *);
// Frees the results that grid_run() stored in the grid.
void grid_free(struct grid *);

#endif
