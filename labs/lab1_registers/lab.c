// Lab 1: a matrix product whose only fast memory is the register file. C (m x n) = A (m x k) B (k x n), stored by rows.
//
// Technique, from the counters of the whole grid:
//
//   - no shared and no local memory, and no registers that ptxas spills to local memory. A sum kept in an array that is
//     indexed at run time lies in local memory, which is a part of device memory.
//   - each element of C is stored once.
//   - at least 1.5 of the product's 2 MNK operations for each float loaded. With one accumulator, a thread does 2
//     operations for 2 loads: 1.0. With r rows, it does 2r for r + 1. Only the operations of the product count, so
//     that useless operations do not help.
//
// Speed, medians on an H200 at 1024 x 1024 x 1024, cache flushed: sums in global memory (the baseline) 1206.7 us; one
// accumulator 424.9 us (16 x 16 threads, 2.8 x) and 342.3 us (32 x 8, 3.5 x); four rows for each thread 231.0 us to 284
// us, 4.2 to 5.2 x; the reference 146.9 us, 8.2 x. The lesson's own step is four rows, and the step
// of full marks is the reference. One accumulator comes near the minimum; the technique refuses it.
#include "lab/lab.h"
#include "base/message.h"
#include "lab/product.h"

enum { A, B, C };              // buffers, in the order in which plan() creates them
enum { ROWS, COLUMNS, INNER }; // indices of dim

#define FLOP_PER_FLOAT 1.5
#define STORES_ALLOWED 1.01 // times M N floats; counts from a sample of blocks are rounded

static const struct lab_case cases[] = {
    {"1 x 1 x 1", {1, 1, 1}, "random", .flags = CASE_SMALL},
    {N_("5 x 7 x 0: every sum is empty"), {5, 7, 0}, "zero", .flags = CASE_SMALL},
    {"31 x 33 x 31", {31, 33, 31}, "random", .flags = CASE_SMALL},
    {"36 x 68 x 44", {36, 68, 44}, "random", .flags = CASE_SMALL},
    {N_("53 x 67 x 41 (primes)"), {53, 67, 41}, "random", .flags = CASE_SMALL},
    {N_("1 x 129 x 65, huge range"), {1, 129, 65}, "range", .flags = CASE_SMALL},
    {N_("128 x 128 x 128, all equal"), {128, 128, 128}, "equal", .flags = 0},
    {"203 x 211 x 157", {203, 211, 157}, "random", .flags = 0},
    {"1024 x 1024 x 1024", {1024, 1024, 1024}, "random", .flags = CASE_SPEED},
    {"hidden: one column",
     {0, 1, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_PRIME(61, 97), {0}, LAB_REST(4, 2, 98, 162)}},
    {"hidden: odd, denormals",
     {0, 0, 0},
     "denormal",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 33, 47), LAB_REST(2, 1, 33, 47), LAB_REST(2, 1, 21, 31)}},
    {"hidden: one product in each sum",
     {0, 0, 1},
     "range",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(32, 1, 33, 97), LAB_REST(32, 0, 64, 128)}},
    {"hidden: odd, a multiple of 4, even",
     {0, 0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 17, 31), LAB_REST(8, 4, 44, 76), LAB_REST(4, 2, 26, 46)}},
    {"hidden: odd, even, a multiple of 8",
     {0, 0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 33, 47), LAB_REST(4, 2, 50, 78), LAB_REST(16, 8, 24, 56)}},
    {"hidden: several tiles",
     {0, 0, 0},
     "random",
     .flags = CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 129, 159), LAB_REST(32, 4, 228, 292), LAB_REST(8, 4, 68, 100)}},
};

static void plan(struct lab_plan *p)
{
    uint32_t m = p->dim[ROWS], n = p->dim[COLUMNS], k = p->dim[INNER];
    lab_buffer(p, "A", LAB_F32, LAB_INPUT, (uint64_t)m * k);
    lab_buffer(p, "B", LAB_F32, LAB_INPUT, (uint64_t)k * n);
    lab_buffer(p, "C", LAB_F32, LAB_OUTPUT, (uint64_t)m * n);
    struct lab_step *s = lab_step(p, 0, n, m, 1); // x is the index in a row of C
    for (int buffer = A; buffer <= C; buffer++) lab_arg_buffer(s, buffer);
    lab_arg_u32(s, m);
    lab_arg_u32(s, n);
    lab_arg_u32(s, k);
}

static void expect(struct lab_plan *p)
{
    lab_product(p, A, B, C, p->dim[ROWS], p->dim[COLUMNS], p->dim[INNER]);
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    const struct counters *c = &e->student_sum;
    struct lab_traffic moved = lab_traffic_of(c);
    double outputs = (double)e->plan->dim[ROWS] * e->plan->dim[COLUMNS], flop = 2 * outputs * e->plan->dim[INNER];

    uint64_t shared = c->shared_ld_inst + c->shared_st_inst + c->shared_atom_inst;
    lab_technique(t, shared == 0, "%llu accesses to shared memory; none is allowed", (unsigned long long)shared);
    lab_advice(t, "keep the values in registers");
    uint64_t local = c->local_ld_requests + c->local_st_requests;
    lab_technique(t, local == 0, "%llu accesses to local memory; none is allowed", (unsigned long long)local);
    lab_advice(t, "unroll the loops that index an array, so that it stays in registers");

    uint32_t spilled = e->student[0]->spilled_bytes;
    lab_technique(t, spilled == 0, "%u bytes of registers spilled to local memory; none is allowed", spilled);
    lab_advice(t, "let a thread keep fewer sums");

    double stored = moved.st_bytes / (4 * outputs);
    lab_technique(t, stored <= STORES_ALLOWED, "each element of C stored %.2f times; once is allowed", stored);
    lab_advice(t, "add up in a register, and store once at the end");

    double loaded = moved.ld_bytes / 4.0;
    double ratio = loaded > 0 ? flop / loaded : 0;
    lab_technique(t, ratio >= FLOP_PER_FLOAT, "%.2f operations for each float loaded; at least %.1f are needed", ratio,
                  FLOP_PER_FLOAT);
    lab_advice(t, "let a thread compute several elements, so that a loaded float serves several sums");
}

const struct lab lab1_registers = {
    .name = "lab1",
    .slug = "lab1_registers",
    .title = N_("A matrix product in registers"),
    .task = N_("write matmul: C = A B without shared memory, several sums to a thread, each of them in a register"),
    .kernel = {"matmul"},
    .cases = cases,
    .ncases = sizeof cases / sizeof *cases,
    .lesson = 4.25,
    .furthest = 8,
    .plan = plan,
    .fill = lab_product_fill,
    .expect = expect,
    .technique = technique,
    .hint =
        {
            N_("C[r * N + c] += ... loads and stores C in every turn of the loop. Add up in a local variable and store "
               "it "
               "once, after the loop. Then count: how many floats does one turn load, and how many operations does it "
               "make?"),
            N_("A float of B can serve several rows. Give each thread four rows of one column: load B[k * N + c] once, "
               "multiply it with A[(r + 0) * K + k] to A[(r + 3) * K + k], and keep four sums. LAUNCH must say so: "
               ".block = {32, 8}, .tile = {32, 32}."),
            N_("float s[4] = {0, 0, 0, 0}; with every loop over it unrolled (#pragma unroll and constant bounds) stays "
               "in "
               "registers. Rows beyond the last: load row min(r + i, M - 1) instead, and guard only the store. Then do "
               "the same for columns, c and c + 32: four rows by four columns are 16 sums for 8 loads."),
        },
};
