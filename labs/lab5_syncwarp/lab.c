// Lab 5: row sums and row softmax. The lesson is the barrier of a warp: 32 lanes that exchange values through memory
// wait only for each other, not for the block.
//
// Error bounds, with u = 2^-24 (half a unit in the last place of a float):
//
//   - A sum in which each value passes through at most d additions has an error of at most d u Σ|x| (Higham, "Accuracy
//     and Stability of Numerical Algorithms", section 4.2, first order). A warp for each row adds ceil(cols / 32)
//     values in a lane and then at most 32 partial sums, in any order: d = ceil(cols / 32) + 32.
//   - Softmax is p = exp(x - m) / S. x - m is rounded once, and __expf multiplies it by a rounded log2(e). Together
//   this
//     gives an error of up to 3 |x - m| u in the exponent, which is the relative error of the exponential. ex2.approx
//     adds 2 units (4 u), the quotient as much, and rescaling on the way 8 u. S has the mean error of its terms,
//     weighted by p, plus the error of its additions. The relative bound is u (3 |x - m| + 3 Σ p |x - m| + d + 16).
//     Results below the smallest normal float may be flushed to zero.
//
// At 128 columns the bounds are 36 u and about 60 u. Arithmetic in half precision has an error of 2^13 u in each step.
// Rounding only the inputs to half precision gives an error of about 2000 u / sqrt(cols) of a sum. Both fail.
//
// Speedups on an H200 (65536 x 32, both kernels, L2 flushed before the first):
//
//   baseline                               111.5 us
//   a block of 32 threads for each row     86.6 us, 1.3 x
//   a thread for each row                  66.2 us, 1.7 x
//   1_warp_a_row                           32.3 us, 3.5 x: the lesson's own step
//   2_shuffle                              29.1 us, 3.8 x
//   3_registers                            26.8 us, 4.2 x
//   reference                              14.5 us, 7.7 x: full marks; its softmax 7.7, PyTorch's 10.8
//
// A thread for each row does not reach the minimum. Full marks take several rows in flight and wide loads.
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/message.h"
#include "lab/lab.h"

enum { ROW_SUMS, SOFTMAX };
enum { IN, SUMS, OUT };
enum { WARP = 32, LEAST_WARPS = 4 };

static const double U = 1.0 / (1 << 24);

// dim[0] is the number of rows, dim[1] of columns.
static const struct lab_case cases[] = {
    {"1 x 1", {1, 1}, "random", .flags = CASE_SMALL},
    {"5 x 31", {5, 31}, "random", .flags = CASE_SMALL},
    {"33 x 33", {33, 33}, "random", .flags = CASE_SMALL},
    {"70 x 20", {70, 20}, "random", .flags = CASE_SMALL},
    {"64 x 128", {64, 128}, "random", .flags = CASE_SMALL},
    {N_("31 x 32, all equal"), {31, 32}, "equal", .flags = CASE_SMALL},
    {N_("40 x 100, from -1000 to -900"), {40, 100}, "low", .flags = CASE_SMALL},
    {"65536 x 32", {65536, 32}, "random", .flags = CASE_SPEED},
    {"hidden: one column more than warps, high",
     {0, 0},
     "high",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(4, 2, 122, 138), LAB_REST(32, 1, 65, 97)}},
    {"hidden: one column less than warps, wide",
     {0, 0},
     "wide",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_PRIME(89, 103), LAB_REST(32, 31, 95, 127)}},
    {"hidden: few long rows",
     {0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 3, 5), LAB_REST(32, 8, 904, 1000)}},
    {"hidden: denormals",
     {0, 0},
     "denormal",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(4, 2, 14, 22), LAB_REST(8, 4, 52, 60)}},
    {"hidden: odd, one peak in each row",
     {0, 0},
     "peak",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 129, 135), LAB_REST(32, 1, 129, 161)}},
    {"hidden: a multiple of 4, one peak in each row",
     {0, 0},
     "peak",
     .flags = CASE_HIDDEN,
     .draw = {LAB_REST(8, 4, 124, 140), LAB_REST(128, 4, 516, 644)}},
    {"hidden: few longer rows",
     {0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_BETWEEN(2, 3), LAB_REST(8, 4, 1404, 1596)}},
    {"hidden: even columns",
     {0, 0},
     "random",
     .flags = CASE_SMALL | CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 41, 49), LAB_REST(4, 2, 66, 78)}},
    {"hidden: many rows of whole warps",
     {0, 0},
     "random",
     .flags = CASE_HIDDEN,
     .draw = {LAB_PRIME(1009, 1039), LAB_REST(32, 0, 96, 128)}},
    {"hidden: odd, one column more than warps",
     {0, 0},
     "random",
     .flags = CASE_HIDDEN,
     .draw = {LAB_REST(2, 1, 257, 265), LAB_REST(32, 1, 257, 289)}},
};

static void step(struct lab_plan *p, uint32_t kernel, int in, int out)
{
    struct lab_step *s = lab_step(p, kernel, p->dim[0], 1, 1);
    lab_arg_buffer(s, in);
    lab_arg_buffer(s, out);
    lab_arg_u32(s, p->dim[0]);
    lab_arg_u32(s, p->dim[1]);
}

static void plan(struct lab_plan *p)
{
    uint64_t rows = p->dim[0], cols = p->dim[1];
    int in = lab_buffer(p, "in", LAB_F32, LAB_INPUT, rows * cols);
    int sums = lab_buffer(p, "sums", LAB_F32, LAB_OUTPUT, rows);
    int out = lab_buffer(p, "out", LAB_F32, LAB_OUTPUT, rows * cols);
    step(p, ROW_SUMS, in, sums);
    step(p, SOFTMAX, in, out);
}

static void fill(struct lab_plan *p, struct prng *random)
{
    static const struct {
        const char *values;
        float low, high;
    } ranges[] = {{"low", -1000, -900}, {"high", 900, 1000}, {"wide", -10000, 10000}};
    struct lab_buffer *in = &p->buffer[IN];
    if (strcmp(p->which->values, "peak") == 0) { // a maximum that misses the peak overflows
        uint64_t rows = p->dim[0], cols = p->dim[1];
        for (uint64_t i = 0; i < in->count; ++i) in->f32[i] = prng_float(random, -1, 1);
        // The peaks lie all over the columns, from the first to the last.
        for (uint64_t row = 0; row < rows; ++row) in->f32[row * cols + row * (cols - 1) / (rows - 1)] = 200;
        return;
    }
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; ++k)
        if (strcmp(p->which->values, ranges[k].values) == 0) {
            for (uint64_t i = 0; i < in->count; ++i) in->f32[i] = prng_float(random, ranges[k].low, ranges[k].high);
            return;
        }
    lab_fill_f32(in->f32, in->count, p->which->values, random);
}

static void expect_sum(struct lab_plan *p, uint64_t row, double depth)
{
    uint64_t cols = p->dim[1];
    const float *x = p->buffer[IN].f32 + row * cols;
    double sum = 0, magnitude = 0;
    for (uint64_t c = 0; c < cols; ++c) {
        sum += x[c];
        magnitude += fabs((double)x[c]);
    }
    p->buffer[SUMS].expected[row] = sum;
    p->buffer[SUMS].bound[row] = depth * U * magnitude;
}

static void expect_softmax(struct lab_plan *p, uint64_t row, double depth)
{
    uint64_t cols = p->dim[1];
    const float *x = p->buffer[IN].f32 + row * cols;
    double *expected = p->buffer[OUT].expected + row * cols, *bound = p->buffer[OUT].bound + row * cols;
    double most = x[0], sum = 0, distance = 0;
    for (uint64_t c = 1; c < cols; ++c) most = fmax(most, x[c]);
    for (uint64_t c = 0; c < cols; ++c) {
        expected[c] = exp(x[c] - most);
        sum += expected[c];
        distance += expected[c] * (most - x[c]);
    }
    for (uint64_t c = 0; c < cols; ++c) {
        expected[c] /= sum;
        bound[c] = expected[c] * U * (3 * (most - x[c]) + 3 * distance / sum + depth + 16) + FLT_MIN;
    }
}

static void expect(struct lab_plan *p)
{
    uint64_t rows = p->dim[0], cols = p->dim[1];
    double depth = (double)((cols + WARP - 1) / WARP + WARP);
    lab_expected(p, SUMS, 1);
    lab_expected(p, OUT, 1);
    for (uint64_t row = 0; row < rows; ++row) {
        expect_sum(p, row, depth);
        expect_softmax(p, row, depth);
    }
}

static void technique(const struct lab_evidence *e, struct lab_techniques *t)
{
    const struct counters *sums = &e->student[ROW_SUMS]->counters, *softmax = &e->student[SOFTMAX]->counters;
    const uint32_t *block = e->plan->step[ROW_SUMS].launch.block;
    uint32_t warps = (block[0] * block[1] * block[2] + WARP - 1) / WARP;
    lab_technique(t, warps >= LEAST_WARPS, "%" PRIu32 " warps a block in row_sums; at least %d are needed", warps,
                  LEAST_WARPS);
    lab_technique(t, sums->warp_barriers > 0,
                  "%" PRIu64 " calls of __syncwarp() by warps of row_sums; at least 1 is needed", sums->warp_barriers);
    lab_technique(t, sums->shared_st_inst > 0,
                  "%" PRIu64 " stores of a warp to shared memory in row_sums; at least 1 is needed",
                  sums->shared_st_inst);
    lab_advice(t, "let the lanes exchange their sums through shared memory");
    if (sums->warp_barriers > 0) lab_use(e, t, 0, "__syncwarp()");
    lab_technique(t, sums->shuffles == 0, "%" PRIu64 " shuffles in row_sums; none is allowed", sums->shuffles);
    lab_advice(t, "let the lanes exchange their sums through shared memory");
    lab_technique(t, sums->block_barriers == 0, "%" PRIu64 " block barriers in row_sums; none is allowed",
                  sums->block_barriers);
    lab_advice(t, "only the lanes of a warp wait for each other: __syncwarp()");
    lab_technique(t, softmax->block_barriers == 0, "%" PRIu64 " block barriers in softmax; none is allowed",
                  softmax->block_barriers);
    lab_advice(t, "only the lanes of a warp wait for each other: __syncwarp()");
}

const struct lab lab5_syncwarp = {
    .name = "lab5",
    .slug = "lab5_syncwarp",
    .title = N_("Row sums and softmax with __syncwarp"),
    .task = N_("Sum the rows of a matrix and form their softmax, a warp a row, without a barrier of the block."),
    .kernel = {"row_sums", "softmax"},
    .cases = cases,
    .ncases = sizeof cases / sizeof *cases,
    .lesson = 3.47,
    .furthest = 7.58,
    .plan = plan,
    .fill = fill,
    .expect = expect,
    .technique = technique,
    .use = {{ROW_SUMS, WITHOUT_WARP_BARRIERS}},
    .without_block_barriers = 1,
    .hint =
        {
            N_("Give each warp its own row of shared memory: __shared__ float exchange[WARPS][32]. Lane l adds "
               "elements "
               "l, l + 32, l + 64 … of its row and stores the sum in exchange[warp][lane]. No other warp touches that "
               "row, so nobody but these 32 lanes has to wait."),
            N_("The 32 lanes of a warp do not run in step by themselves. After the store: __syncwarp(). Then the tree, "
               "if (lane < half) part[lane] += part[lane + half]; with a __syncwarp() after each step, outside of the "
               "if, "
               "so that all 32 lanes come by. In softmax the same memory serves twice: one more __syncwarp() between "
               "reading the maximum and storing the first partial sum."),
            N_("softmax may use __shfl_xor_sync(0xffffffff, value, distance) for distance = 16, 8, 4, 2, 1: afterwards "
               "each lane has the maximum, or the sum, and no memory was needed. Read each row once: four floats a "
               "lane "
               "in a float4 hold a row of 128. Then let a warp keep two rows in flight."),
        },
};
