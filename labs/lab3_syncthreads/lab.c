// Lab 3: an inclusive prefix sum in three kernels. The lesson is the barrier of a block and its limit: blocks wait for
// each other only at the end of a kernel. The numbers are unsigned, so that every order of adding gives the same 32
// bits and the comparison is exact.
//
// Speedups on an H200 (16,777,216 numbers, L2 flushed before the first kernel):
//
//   baseline                          729 us (with tiles of 1024 788 us, of 256 1704 us)
//   1_stage                           659 us, 1.1 x
//   2_all_threads                     351 us, 2.1 x: the lesson's own step
//   3_two_buffers                     320 us, 2.3 x
//   only shuffles within a warp       111 us, 6.6 x, refused because it has no block barrier
//   4_coarse                          78 us, 9.4 x: full marks
//   reference                         58 us, 12.6 x; CUB's single-pass scan takes 51
//
// Rung 1, in which one thread works on data in shared memory, does not reach the minimum on a card.
#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "lab/lab.h"

enum { BLOCK_SUMS, SCAN_SUMS, SCAN_BLOCKS };
enum { IN, SUMS, OUT };
enum { SUMS_ALONE = IN }; // the only buffer of a case that runs scan_sums alone
enum { N, ALONE };        // indices of dim
enum { WARP = 32, LEAST_THREADS = 128, SCAN_ALONE = 1 };

// dim[N] is n, or m if dim[ALONE] is SCAN_ALONE. The contract says what scan_sums does, so it can run alone; a case
// with many sums is then cheap for any tile. If each thread of the other kernels takes one element, sizes beyond 65,536
// or 1,048,576 give scan_sums more sums than a block of 256 or 1024 has threads.
static const struct lab_case cases[] = {
    {N_("1 number"), {1}, "random", .flags = CASE_SMALL},
    {N_("31 numbers"), {31}, "ones", .flags = CASE_SMALL},
    {N_("33 numbers"), {33}, "random", .flags = CASE_SMALL},
    {N_("1000 numbers"), {1000}, "ones", .flags = CASE_SMALL},
    {N_("4096 numbers"), {4096}, "random", .flags = CASE_SMALL},
    {N_("4099 numbers, a prime"), {4099}, "random", .flags = CASE_SMALL},
    {N_("scan_sums alone, 700 sums"), {700, SCAN_ALONE}, "random", .flags = CASE_SMALL},
    {N_("16777216 numbers"), {1 << 24}, "random", .flags = CASE_SPEED},
    {"hidden: part of a block, all the largest",
     {0},
     "largest",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(32, 31, 159, 255)}},
    {"hidden: even, no multiple of 4",
     {0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(4, 2, 1538, 2046)}},
    {"hidden: prime, only the first not zero",
     {0},
     "first",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_PRIME(16411, 18443)}},
    {"hidden: scan_sums alone",
     {0, SCAN_ALONE},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 2561, 3583)}},
    {"hidden: many blocks", {0}, "random", .flags = CASE_HIDDEN, .draw = {LAB_REST(2, 1, 66001, 80001)}},
    {"hidden: very many blocks", {0}, "random", .flags = CASE_HIDDEN, .draw = {LAB_PRIME(1060001, 1140001)}},
};

static uint32_t at_least_one(uint32_t value)
{
    return value > 0 ? value : 1;
}

static uint32_t tile_of(const struct lab_shape *shape)
{
    return at_least_one((uint32_t)(shape->tile[0] > 0 ? shape->tile[0] : shape->block[0]));
}

// A block of block_sums and the block of scan_blocks with the same index must cover the same elements.
static void check_shapes(struct lab_plan *p, const uint32_t first[3], const uint32_t last[3])
{
    const struct lab_shape *shape = p->shape;
    for (int k = 0; k < 3; ++k)
        if (shape[k].per_sm > 0)
            lab_reject(p, "'%s' is launched by '.per_sm', but each of its blocks owns one tile: give '.tile' instead",
                       p->lab->kernel[k]);
    const int64_t *grid = shape[SCAN_SUMS].grid;
    if (grid[0] > 1 || grid[1] > 1 || grid[2] > 1)
        lab_reject(p, "'scan_sums' asks for more than one block by '.grid': blocks cannot wait for each other");
    if (tile_of(&shape[BLOCK_SUMS]) != tile_of(&shape[SCAN_BLOCKS]))
        lab_reject(p, "'block_sums' covers %" PRIu32 " elements a block and 'scan_blocks' %" PRIu32 ": they must agree",
                   tile_of(&shape[BLOCK_SUMS]), tile_of(&shape[SCAN_BLOCKS]));
    for (int axis = 0; axis < 3; ++axis)
        if (first[axis] != last[axis])
            lab_reject(p, "'block_sums' has %" PRIu32 " blocks and 'scan_blocks' %" PRIu32 ": they must agree",
                       first[axis], last[axis]);
    if (first[0] > p->dim[N] || first[1] > 1 || first[2] > 1)
        lab_reject(p,
                   "'block_sums' asks for %" PRIu32 " x %" PRIu32 " x %" PRIu32 " blocks for %" PRIu32
                   " elements: each must own some of them, in a row",
                   first[0], first[1], first[2], p->dim[N]);
}

static void scan_sums(struct lab_plan *p, int sums, uint32_t m)
{
    struct lab_step *s = lab_step(p, SCAN_SUMS, 1, 1, 1);
    lab_arg_buffer(s, sums);
    lab_arg_u32(s, m);
}

static void plan(struct lab_plan *p)
{
    uint64_t n = p->dim[N], extent[3] = {n, 1, 1};
    uint32_t first[3], last[3];
    lab_grid(p, BLOCK_SUMS, extent, first);
    lab_grid(p, SCAN_BLOCKS, extent, last);
    check_shapes(p, first, last);
    if (p->dim[ALONE]) {
        scan_sums(p, lab_buffer(p, "sums", LAB_U32, LAB_UPDATE, n), (uint32_t)n);
        return;
    }
    uint32_t m = p->rejected[0] ? 1 : first[0];

    int in = lab_buffer(p, "in", LAB_U32, LAB_INPUT, n);
    int sums = lab_buffer(p, "sums", LAB_U32, LAB_SCRATCH, m);
    int out = lab_buffer(p, "out", LAB_U32, LAB_OUTPUT, n);
    struct lab_step *s = lab_step(p, BLOCK_SUMS, n, 1, 1);
    lab_arg_buffer(s, in);
    lab_arg_buffer(s, sums);
    lab_arg_u32(s, (uint32_t)n);
    scan_sums(p, sums, m);
    s = lab_step(p, SCAN_BLOCKS, n, 1, 1);
    lab_arg_buffer(s, in);
    lab_arg_buffer(s, sums);
    lab_arg_buffer(s, out);
    lab_arg_u32(s, (uint32_t)n);
}

static void fill(struct lab_plan *p, struct prng *random)
{
    struct lab_buffer *in = &p->buffer[IN];
    const char *values = p->which->values;
    int drawn = strcmp(values, "random") == 0; // all 32 bits: sums wrap around, and a float cannot hold them
    uint32_t same = strcmp(values, "ones") == 0 ? 1 : strcmp(values, "largest") == 0 ? UINT32_MAX : 0;
    for (uint64_t i = 0; i < in->count; ++i) in->u32[i] = drawn ? prng_u32(random) : same;
    if (strcmp(values, "first") == 0) in->u32[0] = 1 + prng_below(random, 1000);
}

static void expect(struct lab_plan *p)
{
    const struct lab_buffer *in = &p->buffer[IN];
    uint32_t sum = 0;
    int out = p->dim[ALONE] ? SUMS_ALONE : OUT;
    lab_expected(p, out, 0);
    for (uint64_t i = 0; i < in->count; ++i) {
        uint32_t before = sum;
        sum += in->u32[i];
        p->buffer[out].expected[i] = p->dim[ALONE] ? before : sum;
    }
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    static const int sharing[] = {BLOCK_SUMS, SCAN_BLOCKS};
    for (int i = 0; i < 2; ++i) {
        int k = sharing[i];
        const struct lab_step *step = &e->plan->step[k];
        const uint32_t *block = step->launch.block;
        uint32_t threads = block[0] * block[1] * block[2];
        uint64_t warps = e->student[k]->blocks * ((threads + WARP - 1) / WARP);
        double each = warps > 0 ? (double)e->student[k]->counters.block_barriers / (double)warps : 0;
        lab_technique(t, threads >= LEAST_THREADS, "%" PRIu32 " threads a block in %s; at least %d are needed", threads,
                      e->plan->lab->kernel[k], LEAST_THREADS);
        lab_technique(t, each >= 1, "%.1f block barriers for each warp of %s; at least 1 is needed", each,
                      e->plan->lab->kernel[k]);
        lab_advice(t, "let threads exchange values through shared memory, and wait with __syncthreads()");
        if (each >= 1) lab_use(e, t, i, N_("block barriers"));
    }
    lab_technique(t, e->student_sum.global_atomic_threads == 0, "%" PRIu64 " global atomics; none is allowed",
                  e->student_sum.global_atomic_threads);
    lab_advice(t, "the end of a kernel is the barrier of the whole grid");
}

const struct lab lab3_syncthreads = {
    .name = "lab3",
    .slug = "lab3_syncthreads",
    .title = N_("A prefix sum with __syncthreads"),
    .task = N_("Write a prefix sum of any number of unsigned integers in three kernels whose threads share the work."),
    .kernel = {"block_sums", "scan_sums", "scan_blocks"},
    .cases = cases,
    .ncases = sizeof cases / sizeof *cases,
    .lesson = 2.07,
    .furthest = 9.47,
    .plan = plan,
    .fill = fill,
    .expect = expect,
    .technique = technique,
    .use = {{BLOCK_SUMS, WITHOUT_BLOCK_BARRIERS}, {SCAN_BLOCKS, WITHOUT_BLOCK_BARRIERS}},
    .hint =
        {
            N_("Start with block_sums: bring the tile into shared memory, one element a thread, zeros behind the end. "
               "Then "
               "let half of the threads add the other half's elements, then a quarter, and so on. Ask of every step: "
               "who "
               "reads what another thread wrote in the step before? Between the two stands a __syncthreads(), outside "
               "of "
               "any if."),
            N_("For the scan, step d = 1, 2, 4, … adds to each element the one d places before it. In place, a step "
               "needs "
               "two barriers: read into a register, __syncthreads(), write, __syncthreads(). scan_sums does the same, "
               "tile after tile, in a loop of one block, and carries the sum so far; mind the barrier before the tile "
               "is "
               "filled again."),
            N_("For speed, give each thread 8 or 16 elements (.tile larger than .block): it scans its own in "
               "registers, "
               "the block scans one value a thread, and each thread adds what stands before it. Within a warp "
               "__shfl_up_sync passes values without a barrier: then only one value a warp needs shared memory, and "
               "one "
               "__syncthreads() is enough."),
        },
};
