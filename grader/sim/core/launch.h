// Defines the structures of a running kernel launch that the instruction handlers, the memory and the performance model
// share.
//
// Theory of operation. The simulator runs the blocks of a launch on host threads ("workers"). A block runs on one
// worker from its first instruction to its last. A worker runs one warp of its block until the warp must wait or has
// used up its quantum of instructions, and then another warp. A block has two kinds of results: sums, such as counters,
// and sequences, such as printf output.
//   - Counters and findings are sums, which do not depend on the order of blocks. The example that a finding shows
//     comes from the block with the smallest index. Each worker adds up the counters and findings of the blocks that it
//     runs.
//   - Printf output is a sequence, which depends on the order of blocks. Another such sequence is the list of 32-byte
//     sectors that blocks request from the L2 cache. Each block collects its own printf output and its own list of L2
//     requests. In block order, one thread at a time simulates the L2 requests of finished blocks and adds their printf
//     output to the launch's results (commit() in blocks.c).
// The grader's report does not depend on the number of workers (host threads): counters and findings need no order, and
// printf output and L2 requests are processed in block order. The contents of global memory after a launch do not
// depend on the number of workers either. Blocks run in parallel only while no block reads or overwrites another
// block's data. The file conflict.c detects conflicts between blocks, and grid.c then repeats the launch with
// interleaved blocks.
//
// Speed. The simulator executes a warp instruction by one call of a handler, which computes the 32 lanes with the
// host's vector instructions. Counters are updated once for a sequence of instructions (struct op_tally), or once for
// many accesses with the same address pattern (pattern.h). Simulating arithmetic is therefore cheap, and simulating
// memory accesses takes most of the time. The following list shows the simulator's speed after each optimisation, in
// million warp instructions a second. The simulated kernel in these measurements of the simulator's speed is a tiled
// matrix product (make bench: l2_tile16, 512 x 512 x 512, one core with AVX-512, no checks).
//    48  Loads took two thirds of the time. Each load computed 32 addresses and analysed them.
//    80  An access is described by a base address and the address pattern of the op's latest access. A pattern covers
//        uniform and affine addresses, and the access patterns of a tile. The addresses of each access are compared
//        with the address pattern that is stored for the accessing instruction (op). The simulator therefore need not
//        analyse the program to predict address patterns, or to learn when a stored pattern is out of date.
//    90  The handler of a load finds all its data in the op and in one cache line of the op's pattern. Handlers store
//        simulated registers with host vectors as long as the vectors with which later handlers load them. A host load
//        of data that several shorter host stores have just written would wait until the stores have left the store
//        buffer. The host loads the data of half a simulated warp (16 lanes) with one vector load and one permutation.
//   103  The simulated caches keep the lines of a cache set in order of use, so that searches are short. The simulator
//        prefetches into the host's cache the data structures that describe the simulated L2 cache.
// After the optimisations with the speeds 48 to 103, prefetching the words that the next simulated global loads will
// read made the simulator faster by a factor of 1.13. After the speeds 48 to 103 had been measured, the performance
// model was extended, and its simulated caches then took a third of the simulation time. The speeds 70, 99 and 104
// below were measured with the extended performance model, on another computer than the speeds 48 to 103.
//    70  The speed of the extended performance model before the following optimisations.
//    99  All ways of a simulated cache set are searched at once, by one byte of each line's hash. The order in which
//        the ways were used is one 64-bit word (timing/ways.h). The state of the simulated L2 is stored in one array
//        per way. Most cache sets of the simulated L2 hold few lines, and the state of neighbouring sets is contiguous,
//        so few pages of host memory are touched. The simulator writes a block's results to the host memory that held
//        an earlier block's results. The performance model replays the instructions of the warps that are resident on a
//        multiprocessor. To find the warp that issues next, the performance model compares the earliest issue times of
//        groups of eight warps, no longer the issue times of all resident warps.
//   104  The handler of a shared-memory load calls no function if the load's address pattern equals that of the op's
//        latest access. If the address pattern of a shared-memory load differs from that of the same instruction's
//        latest access, a separate function executes the load.
// One worker (host thread) at a time commits the results of finished blocks, without holding a lock, while the other
// workers run blocks. At the end of a launch, the performance model runs on one thread. Only its two replays of the
// recorded warp instructions (timing.c) run in parallel, on two threads. In one measured launch of 217 ms, the part of
// the work that ran on one thread took 12 ms. Letting registers with disjoint lifetimes share their place in the
// simulated register file gained nothing, because the host's loads hide the saved time. Leaving NaN results as they
// are, instead of replacing them by the canonical NaN, did not make the simulator faster, because the host's loads hide
// the saved time. Computing a single lane where all lanes hold the same value was not tried, because a vector
// instruction computes all lanes as fast as one lane. Checking for races and other errors doubles the simulation time.
// Most of the time for checks goes into the access records of words in shared memory, which are compared and written
// eight at a time (op/word_shared.c). In short kernels, most of the time for checks goes into the access records of
// words in global arrays. To save time, the race check does not search for races if only the accessing lane has used a
// word of global memory before (is_own() in race.c). The race check allocates no data about readers for words of global
// memory that are only written (race.c).
#ifndef SIM_CORE_LAUNCH_H
#define SIM_CORE_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

enum { WARP_LANES = 32, BLOCK_THREADS_MAX = 1024, BLOCK_WARPS_MAX = 32 };

struct device_profile;
struct sim_program; // program.h: the ops of a kernel, lowered from its PTX module
struct sim_memory;  // region.h: buffers, device variables, constants
struct sim_shadow;  // shadow.h: accesses to each word of shared memory, with their times
struct l1;          // l1.h
struct trace_warp;  // trace.h
struct finding_log; // finding_log.h
struct sample_set;  // sample.h
struct pattern;     // pattern.h
struct text;

// Defines the windows of the generic address space. The window that contains a generic address determines the address's
// memory space. Addresses in .shared, .local and .const are offsets from the start of the space's window. Buffers lie
// 64 GiB apart, so that an out-of-range index does not reach another buffer.
#define SIM_BUFFER_STRIDE ((uint64_t)1 << 36)    // buffer i starts at (i + 1) << 36
#define SIM_SHARED_WINDOW ((uint64_t)0x7f << 40) // 16 MiB
#define SIM_LOCAL_WINDOW ((uint64_t)0x7e << 40)
#define SIM_CONST_WINDOW ((uint64_t)0x7d << 40)
#define SIM_PARAM_WINDOW ((uint64_t)0x7c << 40)
// A function pointer holds the function's index in module->func plus one. SIM_WINDOW_BYTES is the size of a window of
// the generic address space.
#define SIM_WINDOW_BYTES ((uint64_t)1 << 24)

// Holds the data of a launch that do not change while the launch runs.
struct sim_launch {
    const struct engine_launch *request;
    const struct device_profile *device;
    const struct sim_program *program;
    struct sim_memory *memory;
    uint32_t checks;         // enum engine_checks
    uint32_t threads, warps; // of a block
    uint64_t budget;         // limit of the warp instructions of all blocks together
    uint32_t nops;           // number of ops in the program: length of per-op arrays
    uint64_t blocks;         // number of blocks in the grid
    uint32_t blocks_per_sm;  // blocks resident on an SM at the same time
    uint32_t places_per_sm;  // resident blocks if warps were unlimited; 0: as blocks_per_sm
    uint32_t shared_bytes;   // bytes of a block including gaps; the size charged on a device is in the observation
    uint32_t local_bytes;    // of a thread
    const uint8_t *params;   // values of the kernel's parameters, in the plan's layout
    uint32_t param_bytes;
    struct waits *waits; // words in global memory that blocks of a timed launch released; NULL: not kept
};

// Describes a worker, a host thread that runs blocks.
struct sim_worker {
    const struct sim_launch *launch;
    struct counters *op;     // [nops]: counters of each op, summed over the blocks that this worker ran
    struct pattern *pattern; // [plan->nmemory]: the latest pattern of each access (pattern.h)
    struct finding_log *findings;
};

// Lists the 32-byte sectors that a block requests from the L2, in the block's program order.
struct sector_log {
    struct sector_entry {
        uint64_t line;       // address / 128
        uint32_t op;         // op that requests the sectors
        uint8_t sectors;     // bit s: sector s of the line
        uint8_t kind;        // enum sector_kind
        uint16_t operations; // SECTOR_ATOMIC: number of operations on a sector, see coalesce_atomic;
                             // SECTOR_WRITE_PARTIAL: number of words stored, 4 bits for each sector
    } * entry;
    uint32_t count, capacity;
};
// Names the kinds of requests to the L2. A request of kind SECTOR_ATOMIC_WHOLE comes from an atomic that accesses all
// words of its sectors.
enum sector_kind { SECTOR_READ, SECTOR_WRITE, SECTOR_WRITE_PARTIAL, SECTOR_ATOMIC, SECTOR_ATOMIC_WHOLE };

struct waits; // sim/timing/waits.h
// The number of ops of the longest chain of ops that had to be executed one after the other: if warps wait for all that
// they wait for, and if they only waited at barriers of whole blocks.
struct sim_path {
    uint64_t waiting, alone;
};

struct sim_block {
    struct sim_worker *worker;
    uint64_t linear; // index in the grid, x fastest
    uint32_t index[3];
    uint32_t phase;          // number of barriers of the whole block passed so far
    uint32_t site;           // op of the latest barrier of the whole block, plus one; 0: none
    uint32_t left;           // threads that had returned when the block passed its latest barrier
    uint32_t races_reported; // 1: races were found since the latest barrier of the whole block
    uint8_t *shared;
    struct sim_shadow *shadow; // NULL: neither races nor uninitialised memory are checked
    struct l1 *l1;             // NULL: caches are not simulated
    struct sector_log sectors;
    struct sample_set *samples; // NULL: no samples are taken of this block
    struct text *print;
    uint64_t extra_work; // additional work since the block's last turn, in warp instructions; counts against the budget
    uint64_t clearing;   // bytes of shared memory and call frames that were set to 0 since then; count, too
    struct waits *waits; // words in shared memory that warps of a timed launch released; NULL: none
    uint64_t start;      // length of the chain of ops before the block began
};

// Holds the part of a warp's state that memory accesses use; struct warp (warp.h) has the rest of the state.
struct sim_warp {
    struct sim_block *block;
    uint32_t id;               // index in the block
    uint32_t phase;            // number of __syncwarp by all live lanes since the latest barrier of the block
    uint32_t live;             // lanes that exist and have not exited
    uint8_t *local;            // [WARP_LANES][local_bytes]
    uint8_t *local_valid;      // [WARP_LANES][local_bytes]: mask of the defined bits of each byte; NULL: not checked
    struct sim_origin *origin; // origin.h; NULL: no origins are recorded
    struct trace_warp *trace;  // NULL: the warp is not recorded
    uint64_t executed;         // number of instructions executed, up to the end of the latest run
    uint32_t run;              // first op of the current run; UINT32_MAX: no op is being executed
    struct sim_path before;    // ops that had to be executed before the warp's own
};

#endif
