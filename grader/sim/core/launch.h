// The structures of a running launch that ops, memory and the model of time share.
//
// Theory of operation. A launch runs its blocks on host threads ("workers"). A block runs on one worker from its first
// instruction to its last, and a warp runs until it must wait. The results of a block are of two kinds:
//   - Sums do not depend on the order of blocks: counters, and findings, of which the smallest block's is the example.
//     The worker collects them.
//   - Sequences depend on the order: printf output, and the sectors that missed the L1 on their way to the L2. The
//     block collects them, and one thread commits them in block order.
// So the report does not depend on the number of workers. Global memory does not either, because blocks run in parallel
// only while they do not observe each other. grid.c says how that is known, and what happens otherwise.
//
// Speed. A warp instruction costs one call of a handler, which executes 32 lanes with vectors. Counters are added for a
// run of ops (struct op_tally) or for a pattern of an access (pattern.h). So arithmetic is cheap, and memory takes the
// time. The list below says what each step gained, in million warp instructions a second. The program is the tiled
// matrix product (make bench: l2_tile16, 512 x 512 x 512, one core with AVX-512, no checks).
//    48  Loads took two thirds of the time: they made 32 addresses and analysed them each time.
//    80  An access is a base and the pattern that the op had last time. A pattern covers uniform and affine values, and
//        the access patterns of a tile. It needs no analysis of the program and no invalidation.
//    90  A load finds all it needs in its op and one line of its pattern. Rows are stored by vectors as long as those
//        that load them: a long load waits until shorter stores that feed it have left the processor's store buffer.
//        Half a warp is one load and one permutation.
//   103  The model's caches keep the lines of a set in order of use, so that searches are short. They prefetch the L2's
//        state.
// Prefetching the next words of global loads gave another factor of 1.13.
// Later the model grew, and its caches took a third of the time. On another machine:
//    70  Before.
//    99  All ways of a set are searched at once, by a byte of their hash, and the order of use is one word
//        (timing/ways.h). The L2's state is stored by way: most sets hold few lines, and neighbouring sets lie
//        together, so the host's memory is touched by the page and not by the set. A block's results are written where
//        the last block's were. The replay keeps the soonest of each eight warps; before, it compared the warps one by
//        one.
//   104  A load of shared memory calls no function if its access is like the last one. Rare cases have bodies of their
//        own, which end the load.
// Workers: the worker that commits blocks' results does so without the lock, while the others run their blocks. Only
// the model of time at the end runs on one thread (12 of 217 ms); its two replays run in parallel. Two ideas gained
// nothing, because loads hide what they save: registers with disjoint lives in one row, and results without the
// canonical NaN. One idea was not tried, because a vector instruction is as fast: computing one lane where all lanes
// hold the same value. Checks double the time. Most of that goes into the stamps of shared words, which are compared
// and written eight at a time (op/word_shared.c). In short kernels, the cells of global arrays take most. There, a word
// that only one lane accesses is recorded at once, and for words with nothing but writes nothing else is kept (race.c).
#ifndef SIM_CORE_LAUNCH_H
#define SIM_CORE_LAUNCH_H

#include <stddef.h>
#include <stdint.h>

#include "engine/engine.h"

enum { WARP_LANES = 32, BLOCK_THREADS_MAX = 1024, BLOCK_WARPS_MAX = 32 };

struct device_profile;
struct sim_program; // program.h: the module lowered to ops
struct sim_memory;  // region.h: buffers, device variables, constants
struct sim_shadow;  // shadow.h: who touched which word of shared memory, and when
struct l1;          // l1.h
struct trace_warp;  // trace.h
struct finding_log; // finding_log.h
struct sample_set;  // sample.h
struct pattern;     // pattern.h
struct text;

// Addresses. A generic address names its space by its window; addresses inside .shared, .local and .const are offsets
// from the window's start. Buffers lie 64 GiB apart, so that an index that runs away meets no other buffer.
#define SIM_BUFFER_STRIDE ((uint64_t)1 << 36)    // buffer i starts at (i + 1) << 36
#define SIM_SHARED_WINDOW ((uint64_t)0x7f << 40) // 16 MiB
#define SIM_LOCAL_WINDOW ((uint64_t)0x7e << 40)
#define SIM_CONST_WINDOW ((uint64_t)0x7d << 40)
#define SIM_PARAM_WINDOW ((uint64_t)0x7c << 40)
// A function pointer holds the index in module->func plus one.
#define SIM_WINDOW_BYTES ((uint64_t)1 << 24)

// The constants of a launch.
struct sim_launch {
    const struct engine_launch *request;
    const struct device_profile *device;
    const struct sim_program *program;
    struct sim_memory *memory;
    uint32_t checks;         // enum engine_checks
    uint32_t threads, warps; // of a block
    uint64_t budget;         // warp instructions of all blocks together
    uint32_t nops;           // of the program: per-op arrays have this length
    uint64_t blocks;         // in the grid
    uint32_t blocks_per_sm;  // resident at a time
    uint32_t places_per_sm;  // resident blocks if warps and registers were no limit; 0: as blocks_per_sm
    uint32_t shared_bytes;   // of a block, as placed (with gaps); the charged size is in the observation
    uint32_t local_bytes;    // of a thread
    const uint8_t *params;   // the kernel's, as laid out by the plan
    uint32_t param_bytes;
};

// One host thread that runs blocks.
struct sim_worker {
    const struct sim_launch *launch;
    struct counters *op;     // [nops]: counters of each op, summed over the blocks that this worker ran
    struct pattern *pattern; // [plan->nmemory]: the latest pattern of each access (pattern.h)
    struct finding_log *findings;
};

// Sectors on their way to the L2, in program order of the block.
struct sector_log {
    struct sector_entry {
        uint64_t line;       // address / 128
        uint32_t op;         // op that makes the request
        uint8_t sectors;     // bit s: sector s of the line
        uint8_t kind;        // enum sector_kind
        uint16_t operations; // SECTOR_ATOMIC: operations on a sector, see coalesce_atomic;
                             // SECTOR_WRITE_PARTIAL: 4 bits a sector, the number of words stored
    } * entry;
    uint32_t count, capacity;
};
// SECTOR_ATOMIC_WHOLE: the atomic accesses all words of its sectors.
enum sector_kind { SECTOR_READ, SECTOR_WRITE, SECTOR_WRITE_PARTIAL, SECTOR_ATOMIC, SECTOR_ATOMIC_WHOLE };

struct sim_block {
    struct sim_worker *worker;
    uint64_t linear; // index in the grid, x fastest
    uint32_t index[3];
    uint32_t phase;          // number of barriers of the whole block passed so far
    uint32_t site;           // op of the latest such barrier, plus one; 0: none
    uint32_t races_reported; // 1: races were found since that barrier
    uint8_t *shared;
    struct sim_shadow *shadow; // NULL: neither races nor uninitialised memory are checked
    struct l1 *l1;             // NULL: caches are not simulated
    struct sector_log sectors;
    struct sample_set *samples; // NULL: no samples are taken of this block
    struct text *print;
    uint64_t extra_work; // other work since the block's last turn, in warp instructions; counts against the budget
};

// One warp as memory sees it. struct warp (warp.h) has the rest.
struct sim_warp {
    struct sim_block *block;
    uint32_t id;               // in the block
    uint32_t phase;            // number of __syncwarp by all live lanes since the latest barrier of the block
    uint32_t live;             // lanes that exist and have not exited
    uint8_t *local;            // [WARP_LANES][local_bytes]
    uint8_t *local_valid;      // same shape: a byte's bits that are defined; NULL when not checked
    struct sim_origin *origin; // origin.h; NULL: nothing is known
    struct trace_warp *trace;  // NULL: the warp is not recorded
};

#endif
