// Expected values of the matrix product: exact for a product computed by hand. The bound holds for every order of
// summation in single precision. Inputs in half precision, or half of the terms, exceed it.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/prng.h"
#include "lab/lab.h"
#include "lab/product.h"

enum { A, B, C };

static void prepare(struct lab_plan *p, struct arena *arena, uint32_t m, uint32_t n, uint32_t k)
{
    *p = (struct lab_plan){.arena = arena};
    lab_buffer(p, "A", LAB_F32, LAB_INPUT, (uint64_t)m * k);
    lab_buffer(p, "B", LAB_F32, LAB_INPUT, (uint64_t)k * n);
    lab_buffer(p, "C", LAB_F32, LAB_OUTPUT, (uint64_t)m * n);
}

static void two_by_two(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lab_plan p;
    prepare(&p, &arena, 2, 2, 3);
    const float a[] = {1, 2, 3, -4, 5, 0.5f}, b[] = {7, 8, 9, -10, 11, 12};
    for (int i = 0; i < 6; ++i) p.buffer[A].f32[i] = a[i], p.buffer[B].f32[i] = b[i];
    lab_product(&p, A, B, C, 2, 2, 3);
    const double expected[] = {58, 24, 22.5, -76}, absolute[] = {58, 64, 78.5, 88};
    for (int i = 0; i < 4; ++i) {
        assert_true(p.buffer[C].expected[i] == expected[i]);
        double gamma = 3 * 0x1p-24 / (1 - 3 * 0x1p-24);
        assert_true(fabs(p.buffer[C].bound[i] - gamma * absolute[i]) < 1e-12);
    }
    arena_free(&arena);
}

static void an_empty_sum_is_zero_exactly(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lab_plan p;
    prepare(&p, &arena, 3, 2, 0);
    lab_product(&p, A, B, C, 3, 2, 0);
    for (int i = 0; i < 6; ++i) {
        assert_true(p.buffer[C].expected[i] == 0);
        assert_true(p.buffer[C].bound[i] == 0);
    }
    arena_free(&arena);
}

// Ways to compute one element; every one but the last two is a legitimate float32 sum.
enum way { FORWARD, BACKWARD, FUSED, FOUR_SUMS, HALF_INPUTS, HALF_THE_TERMS, WAYS };

static float half(float x)
{
    int exponent;
    frexpf(x, &exponent);
    float step = ldexpf(1, exponent - 11 < -24 ? -24 : exponent - 11);
    return nearbyintf(x / step) * step;
}

static float element(const float *a, const float *b, uint32_t n, uint32_t k, enum way way)
{
    volatile float sum[4] = {0, 0, 0, 0}; // volatile: each addition is rounded to float
    uint32_t terms = way == HALF_THE_TERMS ? k / 2 : k;
    for (uint32_t t = 0; t < terms; ++t) {
        uint32_t i = way == BACKWARD ? k - 1 - t : t;
        volatile float product = way == HALF_INPUTS ? half(a[i]) * half(b[i * n]) : a[i] * b[i * n];
        volatile float *s = &sum[way == FOUR_SUMS ? i % 4 : 0];
        *s = way == FUSED ? fmaf(a[i], b[i * n], *s) : *s + product;
    }
    volatile float low = sum[0] + sum[1], high = sum[2] + sum[3];
    return low + high;
}

static uint64_t wrong(const struct lab_plan *p, uint32_t m, uint32_t n, uint32_t k, enum way way)
{
    struct arena arena = {0};
    float *got = ARENA_ARRAY(&arena, (size_t)m * n, float);
    for (uint32_t r = 0; r < m; ++r)
        for (uint32_t c = 0; c < n; ++c)
            got[r * n + c] = element(p->buffer[A].f32 + (size_t)r * k, p->buffer[B].f32 + c, n, k, way);
    uint64_t count = lab_compare(&p->buffer[C], got, NULL).wrong;
    arena_free(&arena);
    return count;
}

static void every_order_is_right_and_less_work_is_not(void **state)
{
    (void)state;
    static const char *const values[] = {"random", "range", "integers"};
    static const uint32_t inner[] = {1, 2, 31, 130, 157};
    struct prng random = prng_stream(7, "product");
    for (size_t v = 0; v < sizeof values / sizeof *values; ++v)
        for (size_t i = 0; i < sizeof inner / sizeof *inner; ++i) {
            uint32_t m = 17, n = 13, k = inner[i];
            struct arena arena = {0};
            struct lab_plan p;
            prepare(&p, &arena, m, n, k);
            lab_fill_f32(p.buffer[A].f32, p.buffer[A].count, values[v], &random);
            lab_fill_f32(p.buffer[B].f32, p.buffer[B].count, values[v], &random);
            lab_product(&p, A, B, C, m, n, k);
            for (enum way way = FORWARD; way <= FOUR_SUMS; ++way) assert_int_equal(wrong(&p, m, n, k, way), 0);
            assert_true(wrong(&p, m, n, k, HALF_THE_TERMS) > m * n / 2);
            if (v == 0)
                assert_true(wrong(&p, m, n, k, HALF_INPUTS) > m * n / 2); // integers are exact in half precision
            arena_free(&arena);
        }
}

// The speed cases' sums are too long for a bound that holds for all inputs: half precision would pass it.
static void long_sums_are_not_in_half_precision(void **state)
{
    (void)state;
    static const uint32_t inner[] = {301, 1024, 2048};
    struct prng random = prng_stream(7, "long product");
    for (size_t i = 0; i < sizeof inner / sizeof *inner; ++i) {
        uint32_t m = 37, n = 41, k = inner[i];
        struct arena arena = {0};
        struct lab_plan p;
        prepare(&p, &arena, m, n, k);
        lab_fill_f32(p.buffer[A].f32, p.buffer[A].count, "random", &random);
        lab_fill_f32(p.buffer[B].f32, p.buffer[B].count, "random", &random);
        lab_product(&p, A, B, C, m, n, k);
        for (enum way way = FORWARD; way <= FOUR_SUMS; ++way) assert_int_equal(wrong(&p, m, n, k, way), 0);
        assert_true(wrong(&p, m, n, k, HALF_THE_TERMS) > m * n / 2);
        assert_true(wrong(&p, m, n, k, HALF_INPUTS) > m * n / 5);
        // all numbers positive: the errors of a float sum stay far below the bound
        for (uint64_t e = 0; e < p.buffer[A].count; ++e) p.buffer[A].f32[e] = fabsf(p.buffer[A].f32[e]);
        for (uint64_t e = 0; e < p.buffer[B].count; ++e) p.buffer[B].f32[e] = fabsf(p.buffer[B].f32[e]);
        lab_product(&p, A, B, C, m, n, k);
        for (uint64_t e = 0; e < p.buffer[C].count; ++e) p.buffer[C].bound[e] /= 2;
        for (enum way way = FORWARD; way <= FOUR_SUMS; ++way) assert_int_equal(wrong(&p, m, n, k, way), 0);
        arena_free(&arena);
    }
}

// A denormal times an integer is a multiple of 2^-149, so nothing is lost unless a kernel flushes to zero.
static void denormals_are_not_zero(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lab_plan p;
    prepare(&p, &arena, 5, 4, 29);
    struct prng random = prng_stream(7, "denormal");
    lab_fill_f32(p.buffer[A].f32, p.buffer[A].count, "denormal", &random);
    lab_fill_f32(p.buffer[B].f32, p.buffer[B].count, "integers", &random);
    lab_product(&p, A, B, C, 5, 4, 29);
    assert_int_equal(wrong(&p, 5, 4, 29, FORWARD), 0);
    static const float zeros[20];
    assert_int_equal(lab_compare(&p.buffer[C], zeros, NULL).wrong, 20);
    arena_free(&arena);
}

// In a measured case, 1024 pieces of 16 elements are compared, all of them written, and others after each draw.
static void some_written_pieces_are_drawn(void **state)
{
    (void)state;
    enum { M = 520, N = 1001, WIDTH = 16, PIECES = 1024 };
    static uint8_t before[M * N];
    struct arena arena = {0};
    struct lab_plan p;
    prepare(&p, &arena, M, N, 2);
    struct lab_buffer *c = &p.buffer[C];
    c->skipped = ARENA_ARRAY(&arena, M * N, uint8_t);
    for (uint32_t i = 0; i < M * N; ++i) c->skipped[i] = i / N % 2 ? LAB_UNWRITTEN : 0;
    uint64_t same = 0;
    for (p.secret = 1; p.secret <= 2; ++p.secret) {
        uint64_t compared = 0, last = 0;
        lab_product(&p, A, B, C, M, N, 2);
        for (uint32_t i = 0; i < M * N; ++i) {
            int is_written = i / N % 2 == 0;
            assert_int_equal(c->skipped[i] == LAB_UNWRITTEN, !is_written);
            compared += !c->skipped[i];
            last += !c->skipped[i] && i % N >= N / WIDTH * WIDTH;
            same += !c->skipped[i] && before[i];
            before[i] = !c->skipped[i];
        }
        assert_in_range(compared, PIECES * WIDTH - PIECES, PIECES * WIDTH);
        assert_true(last > 0);
    }
    assert_true(same < PIECES * WIDTH / 4);
    arena_free(&arena);
}

// Of fewer pieces, all are compared; a piece that was written in part is compared in part.
static void few_pieces_are_all_compared(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct lab_plan p;
    prepare(&p, &arena, 30, 40, 3);
    p.secret = 5;
    p.buffer[C].skipped = ARENA_ARRAY(&arena, 30 * 40, uint8_t);
    for (uint32_t i = 0; i < 1200; i += 5) p.buffer[C].skipped[i] = LAB_UNWRITTEN;
    lab_product(&p, A, B, C, 30, 40, 3);
    for (uint32_t i = 0; i < 1200; ++i) assert_int_equal(p.buffer[C].skipped[i], i % 5 ? 0 : LAB_UNWRITTEN);
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_by_two),
        cmocka_unit_test(an_empty_sum_is_zero_exactly),
        cmocka_unit_test(every_order_is_right_and_less_work_is_not),
        cmocka_unit_test(long_sums_are_not_in_half_precision),
        cmocka_unit_test(denormals_are_not_zero),
        cmocka_unit_test(some_written_pieces_are_drawn),
        cmocka_unit_test(few_pieces_are_all_compared),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
