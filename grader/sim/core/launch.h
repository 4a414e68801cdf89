// The nouns of a running launch that executor, memory and model share.
//
// Theory of operation. One launch runs its blocks on host threads ("workers"). A block runs on one worker from its
// first instruction to its last; a warp runs until it must wait. What a block leaves behind comes in two kinds:
//   - sums, that do not depend on the order of blocks: counters, and findings (merged by the smallest block). They
//     collect in the worker.
//   - sequences, that do: printf output, and the sectors that missed the L1 on their way to the L2. They collect in
//     the block and are committed in block order by one thread.
// So the report does not depend on how many workers there are. Global memory stays the same too, because blocks run
// side by side only while they do not talk to each other: grid.c says how that is known, and what happens otherwise.
//
// Speed. A warp instruction costs one call of a handler, which does 32 lanes with vectors; what is counted for it is
// counted by the run of ops (struct op_tally) or by the shape of an access (pattern.h). So arithmetic is cheap, and
// time goes to memory. What a profile of the tiled matrix product (make bench: l2_tile16, 512 x 512 x 512, one core
// with AVX-512, no checks) said, what was done, and the million warp instructions a second that it gave:
//    48  Two thirds of the time went into loads, which made 32 addresses and asked them anew what they had in common.
//    80  An access is one base and the shape that the op had last time. That is uniform and affine values in one, and
//        the patterns of a tile besides; no analysis of the program is needed, and nothing has to be invalidated.
//    90  A load finds all it needs in its op and one line of its shape. Rows are stored by the vectors they are loaded
//        by: a long load waits until shorter stores that feed it have left the processor's store buffer. A half of a
//        warp is one load and one permutation.
//   103  The model's caches keep a set's lines in the order of their use, so that the search is short, and ask the
//        host's memory for the L2's state before it is needed.
// And 1.13 times that: global loads ask the host's memory for the words of their next step.
// Later the model had grown, and a third of the time was its caches'; on another machine:
//    70  Before.
//    99  A line is looked for in all ways of a set at once, by a byte of its hash, and the order of use is one word
//        (timing/ways.h). The L2's state lies by way: most sets hold few lines, and those of neighbours stand together,
//        so that it is touched by the page and not by the set. What a block leaves is written where the last one's
//        was. The replay keeps the soonest of each eight warps, which it compared one by one at each step.
//   104  A load of shared memory calls nothing where the access is as it was last time: what is rare is a body of its
//        own, which it ends with.
// Workers: the one that takes what blocks left does so without the lock, and so while the others run theirs. What stays
// for one alone is the model of time at the end (12 of 217 ms on one thread): its two replays go on side by side.
// What gave nothing: fewer rows, by giving registers whose lives do not meet one row; results without the canonical
// NaN. Both hide behind the loads. Not done, because a vector instruction is as fast: one lane's arithmetic where all
// lanes hold the same. Checks cost about twice the time; most of it goes into the stamps of shared words, which are
// compared and written eight at a time (op/word_shared.c), and for short kernels into the cells of global arrays: a
// word that one lane alone touches is recorded at once, and where there are but writes nothing else is kept (race.c).
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

// What stays the same while the launch runs.
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
    uint32_t blocks_per_sm;  // resident at once
    uint32_t places_per_sm;  // the same, were warps and registers no limit; 0: as many
    uint32_t shared_bytes;   // of a block, as placed (with gaps); the charged size is in the observation
    uint32_t local_bytes;    // of a thread
    const uint8_t *params;   // the kernel's, as laid out by the plan
    uint32_t param_bytes;
};

// One host thread.
struct sim_worker {
    const struct sim_launch *launch;
    struct counters *op;   // [nops]: counters of each op, summed over the blocks this worker ran
    struct pattern *shape; // [plan->nmemory]: what accesses looked like, see pattern.h
    struct finding_log *findings;
};

// Sectors on their way to the L2, in program order of the block.
struct sector_log {
    struct sector_entry {
        uint64_t line;       // address / 128
        uint32_t op;         // that asks
        uint8_t sectors;     // bit s: sector s of the line
        uint8_t kind;        // enum sector_kind
        uint16_t operations; // SECTOR_ATOMIC: how often a sector was worked on, see coalesce_atomic;
                             // SECTOR_WRITE_PARTIAL: how many words of each sector are stored, in 4 bits
    } * entry;
    uint32_t count, capacity;
};
// SECTOR_ATOMIC_WHOLE: all words of its sectors are worked on.
enum sector_kind { SECTOR_READ, SECTOR_WRITE, SECTOR_WRITE_PARTIAL, SECTOR_ATOMIC, SECTOR_ATOMIC_WHOLE };

struct sim_block {
    struct sim_worker *worker;
    uint64_t linear; // index in the grid, x fastest
    uint32_t index[3];
    uint32_t phase;          // barriers of the whole block passed so far: the clock of happens-before
    uint32_t site;           // op of the last one, plus one; 0: none
    uint32_t races_reported; // 1: races were found since
    uint8_t *shared;
    struct sim_shadow *shadow; // NULL when races are not checked
    struct l1 *l1;             // NULL when caches are not simulated
    struct sector_log sectors;
    struct sample_set *samples; // NULL when none are taken of this block
    struct text *print;
    uint64_t extra_work; // work since the last turn that is no instruction, in instructions: it counts for the budget
};

// One warp, as far as memory needs it; the executor's own part is in warp.h.
struct sim_warp {
    struct sim_block *block;
    uint32_t id;               // in the block
    uint32_t phase;            // __syncwarp of all live lanes passed since the last block barrier
    uint32_t live;             // lanes that exist and have not exited
    uint8_t *local;            // [WARP_LANES][local_bytes]
    uint8_t *local_valid;      // same shape: a byte's bits that are defined; NULL when not checked
    struct sim_origin *origin; // origin.h; NULL: nothing is known
    struct trace_warp *trace;  // NULL when what it does is not recorded
};

#endif
