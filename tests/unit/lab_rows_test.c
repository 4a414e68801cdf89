// Error bounds of lab 5, against row sums and softmax in single precision on the host. A warp's order of adding, a
// serial exchange, and a running maximum stay within the bounds in every case; typical mistakes do not.
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/prng.h"
#include "lab/lab.h"

enum { SUMS = 1, OUT = 2, WARP = 32 };

enum way {
    TREE,       // lanes add every 32nd value, then a tree
    SERIAL,     // lanes add every 32nd value, lane 0 the 32 partial sums
    ON_THE_WAY, // softmax: maximum and sum in one pass, rescaled whenever the maximum grows
    RIGHT_WAYS,
    NO_MAXIMUM = RIGHT_WAYS,
    MAXIMUM_FROM_ZERO,
    HALF_INPUTS,
    HALF_PARTIAL_SUMS,
    HALF_OF_THE_COLUMNS,
    NO_REMAINDER,
    WAYS
};
static const char *const word[WAYS] = {"tree",           "serial",      "on the way",        "no maximum",
                                       "maximum from 0", "half inputs", "half partial sums", "half of the columns",
                                       "no remainder"};

// Rounded to eleven bits, as half precision has.
static float half(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (bits + 0x1000) & 0xffffe000u;
    memcpy(&x, &bits, sizeof x);
    return x;
}

// The device's fast exponential: the argument times a rounded log2(e), rounded, then a power of two.
static float fast_exp(float x)
{
    volatile float scaled = x * 1.44269504f;
    return (float)exp2(scaled);
}

static float combine(const float part[WARP], enum way way)
{
    volatile float sum[WARP];
    for (int l = 0; l < WARP; ++l) sum[l] = part[l];
    if (way == SERIAL) {
        for (int l = 1; l < WARP; ++l) sum[0] += sum[l];
        return sum[0];
    }
    for (int step = WARP / 2; step > 0; step /= 2)
        for (int l = 0; l < step; ++l) {
            sum[l] += sum[l + step];
            if (way == HALF_PARTIAL_SUMS) sum[l] = half(sum[l]);
        }
    return sum[0];
}

static uint32_t columns_seen(uint32_t cols, enum way way)
{
    return way == HALF_OF_THE_COLUMNS ? cols / 2 : way == NO_REMAINDER ? cols / WARP * WARP : cols;
}

static float row_sum(const float *x, uint32_t cols, enum way way)
{
    volatile float part[WARP] = {0};
    float copy[WARP];
    for (uint32_t c = 0; c < columns_seen(cols, way); ++c) part[c % WARP] += way == HALF_INPUTS ? half(x[c]) : x[c];
    for (int l = 0; l < WARP; ++l) copy[l] = way == HALF_PARTIAL_SUMS ? half(part[l]) : part[l];
    return combine(copy, way);
}

static void softmax(const float *x, float *y, uint32_t cols, enum way way)
{
    float most = way == NO_MAXIMUM || way == MAXIMUM_FROM_ZERO ? 0 : -INFINITY, part[WARP] = {0}, lane_most[WARP];
    uint32_t seen = columns_seen(cols, way);
    for (uint32_t c = 0; c < seen && way != NO_MAXIMUM; ++c) most = fmaxf(most, x[c]);
    for (int l = 0; l < WARP; ++l) lane_most[l] = way == ON_THE_WAY ? -INFINITY : most;
    for (uint32_t c = 0; c < seen; ++c) {
        float value = way == HALF_INPUTS ? half(x[c]) : x[c], before = lane_most[c % WARP];
        if (way == ON_THE_WAY) lane_most[c % WARP] = fmaxf(before, value);
        volatile float kept = part[c % WARP];
        if (lane_most[c % WARP] > before) kept *= fast_exp(before - lane_most[c % WARP]);
        part[c % WARP] = kept + fast_exp(value - lane_most[c % WARP]);
    }
    for (int l = 0; l < WARP && way == ON_THE_WAY; ++l)
        if (lane_most[l] > -INFINITY) part[l] *= fast_exp(lane_most[l] - most);
    for (int l = 0; l < WARP && way == HALF_PARTIAL_SUMS; ++l) part[l] = half(part[l]);
    volatile float scale = 1 / combine(part, way);
    for (uint32_t c = 0; c < cols; ++c) y[c] = fast_exp((way == HALF_INPUTS ? half(x[c]) : x[c]) - most) * scale;
}

// Elements of `which` output that are wrong in a case when computed like this.
static uint64_t wrong(const struct lab *lab, const struct lab_case *which, int output, enum way way)
{
    struct arena arena = {0};
    struct lab_plan p = {.lab = lab, .which = which, .dim = which->dim, .sms = 4, .arena = &arena};
    lab->plan(&p);
    struct prng random = prng_stream(7, which->name);
    lab->fill(&p, &random);
    lab->expect(&p);
    uint32_t rows = which->dim[0], cols = which->dim[1];
    float *got = ARENA_ARRAY(&arena, (size_t)rows * cols, float);
    for (uint32_t r = 0; r < rows; ++r) {
        const float *x = p.buffer[0].f32 + (size_t)r * cols;
        if (output == SUMS)
            got[r] = row_sum(x, cols, way);
        else
            softmax(x, got + (size_t)r * cols, cols, way);
    }
    uint64_t count = lab_compare(&p.buffer[output], got, NULL).wrong;
    if (way < RIGHT_WAYS && count)
        print_error("%s, %s, output %d: %llu wrong\n", which->name, word[way], output, (unsigned long long)count);
    arena_free(&arena);
    return count;
}

static int cases_wrong(int output, enum way way)
{
    struct lab_drawn drawn;
    lab_draw(lab_find("lab5"), &(struct secret){{0}}, 1, &drawn);
    const struct lab *lab = &drawn.lab;
    int count = 0;
    for (uint32_t c = 0; c < lab->ncases; ++c)
        if (!(lab->cases[c].flags & CASE_SPEED)) count += wrong(lab, &lab->cases[c], output, way) > 0;
    return count;
}

static void every_honest_order_is_right(void **state)
{
    (void)state;
    for (enum way way = 0; way < RIGHT_WAYS; ++way) {
        assert_int_equal(cases_wrong(SUMS, way), 0);
        assert_int_equal(cases_wrong(OUT, way), 0);
    }
}

static void slips_are_wrong(void **state)
{
    (void)state;
    assert_true(cases_wrong(OUT, NO_MAXIMUM) > 0);
    assert_true(cases_wrong(OUT, MAXIMUM_FROM_ZERO) > 0);
    for (enum way way = HALF_INPUTS; way < WAYS; ++way) {
        assert_true(cases_wrong(SUMS, way) > 0);
        assert_true(cases_wrong(OUT, way) > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_honest_order_is_right),
        cmocka_unit_test(slips_are_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
