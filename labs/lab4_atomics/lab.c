// Lab 4: a 256-bin histogram. The lesson is the lost update, the atomic operation that prevents it, and counting where
// few threads compete: first in shared memory, then once for each block in global memory.
//
// Speedups on an H200 (16,777,216 uniform values, L2 flushed before the kernel):
//
//   baseline                          4323 us (6822 if two values are frequent, 12283 if all are equal)
//   a block for each bin, no atomics  1260 us, 3.4 x
//   1_shared                          639 us, 6.8 x: the lesson's own step
//   warp matching, no atomics         131 us, 33 x, refused because it has no shared atomics
//   2_grid_stride                     44 us, 98 x
//   3_vector                          33 us, 130 x: full marks
//   reference                         26 us, 166 x; CUB's takes 46
//
// A block for each bin does not reach the minimum.
#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "lab/lab.h"

enum { HISTOGRAM };
enum { IN, BINS };
enum { NBINS = 256, WARP = 32 };

// dim[0] is n.
static const struct lab_case cases[] = {
    {N_("no number"), {0}, "uniform", .flags = CASE_SMALL},
    {N_("1 number"), {1}, "uniform", .flags = CASE_SMALL},
    {N_("31 numbers"), {31}, "uniform", .flags = CASE_SMALL},
    {N_("33 numbers, all alike"), {33}, "alike", .flags = CASE_SMALL},
    {N_("1000 numbers"), {1000}, "uniform", .flags = CASE_SMALL},
    {N_("4099 numbers, two of them frequent"), {4099}, "skewed", .flags = CASE_SMALL},
    {N_("16777216 numbers"), {1 << 24}, "uniform", .flags = CASE_SPEED},
    {"hidden: whole blocks, all alike",
     {0},
     "alike",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(1024, 0, 7168, 9216)}},
    {"hidden: odd, in order",
     {0},
     "ordered",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 15001, 16383)}},
    {"hidden: part of a block", {0}, "uniform", .flags = CASE_SMALL | CASE_HIDDEN, .draw = {LAB_REST(2, 1, 129, 255)}},
    {"hidden: prime, two of them frequent", {0}, "skewed", .flags = CASE_HIDDEN, .draw = {LAB_PRIME(280001, 320009)}},
    // More groups of four numbers than an H200 has threads: 2048 on each of 132 multiprocessors
    {"hidden: very many blocks", {0}, "uniform", .flags = CASE_HIDDEN, .draw = {LAB_PRIME(1100003, 1180003)}},
};

static void plan(struct lab_plan *p)
{
    uint64_t n = p->dim[0];
    int in = lab_buffer(p, "in", LAB_U32, LAB_INPUT, n);
    int bins = lab_buffer(p, "bins", LAB_U32, LAB_UPDATE, NBINS); // zeros, by the contract
    // Even without a number there is a block. It must not change anything.
    struct lab_step *s = lab_step(p, HISTOGRAM, n > 0 ? n : 1, 1, 1);
    lab_arg_buffer(s, in);
    lab_arg_buffer(s, bins);
    lab_arg_u32(s, (uint32_t)n);
}

// Only the lowest eight bits follow the distribution. The others are random: the kernel must mask them.
static void fill(struct lab_plan *p, struct prng *random)
{
    struct lab_buffer *in = &p->buffer[IN];
    const char *values = p->which->values;
    int alike = strcmp(values, "alike") == 0, skewed = strcmp(values, "skewed") == 0,
        ordered = strcmp(values, "ordered") == 0;
    uint32_t one = prng_below(random, NBINS);
    for (uint64_t i = 0; i < in->count; ++i) {
        uint32_t noise = prng_u32(random), value = noise >> 24;
        if (alike) value = one;
        if (skewed && prng_below(random, 4) > 0) value = (one + prng_below(random, 2)) % NBINS; // three of four numbers
        if (ordered) value = (uint32_t)(i * NBINS / in->count); // runs of equal values, as in sorted keys
        in->u32[i] = (noise << 8) | value;
    }
}

static void expect(struct lab_plan *p)
{
    const struct lab_buffer *in = &p->buffer[IN];
    lab_expected(p, BINS, 0);
    for (uint64_t i = 0; i < in->count; ++i) p->buffer[BINS].expected[in->u32[i] % NBINS] += 1;
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    // A warp's atomic instruction counts up to 32 elements. A kernel that first merges equal neighbours needs fewer;
    // one eighth of the number is allowed. A kernel that does not count with shared atomics executes far fewer.
    const struct observation *o = e->student[HISTOGRAM];
    uint64_t n = e->plan->dim[0], least = n / WARP / 8;
    lab_technique(t, o->counters.shared_atom_inst >= least,
                  "%" PRIu64 " atomics of a warp in shared memory; at least %" PRIu64 " are needed",
                  o->counters.shared_atom_inst, least);
    lab_advice(t, "count in shared memory first");
    if (o->counters.shared_atom_inst >= least) lab_use(e, t, 0, N_("atomics in shared memory"));
    double each = o->blocks > 0 ? (double)o->counters.global_atomic_threads / (double)o->blocks : 0;
    lab_technique(t, each <= NBINS, "%.1f global atomics a block; at most %d are allowed", each, NBINS);
    lab_advice(t, "add each of the block's counters to its bin once");
}

const struct lab lab4_atomics = {
    .name = "lab4",
    .slug = "lab4_atomics",
    .title = N_("A histogram with atomics"),
    .task = N_("Write a 256-bin histogram that counts in shared memory and is right and fast for any data."),
    .kernel = {"histogram"},
    .cases = cases,
    .ncases = sizeof cases / sizeof *cases,
    .lesson = 6.82,
    .furthest = 132.97,
    .plan = plan,
    .fill = fill,
    .expect = expect,
    .technique = technique,
    .use = {{HISTOGRAM, WITHOUT_SHARED_ATOMICS}},
    .hint =
        {
            N_("Two threads that both do bins[b] = bins[b] + 1 can read the same old value; one addition is lost. "
               "atomicAdd(&bins[b], 1u) does the three steps as one. It is right, and slow: every thread of the grid "
               "queues for 256 counters. Let each block count for itself first: where can a block keep 256 counters "
               "that "
               "no other block sees?"),
            N_("__shared__ unsigned count[256]; clear it (with fewer than 256 threads, in a loop), __syncthreads(), "
               "count "
               "with atomicAdd(&count[...], 1u), __syncthreads(), and add count[b] to bins[b] with one atomicAdd a "
               "bin. "
               "Both barriers are needed, although hardware rarely shows the lack of the first."),
            N_("A block that counts 256 numbers and then merges 256 bins gains little. Launch few blocks, "
               "LAUNCH(histogram, .block = {256}, .per_sm = 8), and let each stride over the input: "
               "for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x). Then load "
               "four "
               "numbers at a time as a uint4."),
        },
};
