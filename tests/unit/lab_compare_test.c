// Comparison of outputs: NaN never passes, an infinite bound passes nothing, and an output that was not computed fails.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lab/lab.h"

enum { N = 64 };

static float input[N], got[N];
static double expected[N], bound[N];
static struct lab_buffer buffer;

static int prepare(void **state)
{
    (void)state;
    struct prng r = prng_stream(7, "compare");
    lab_fill_f32(input, N, "random", &r);
    for (int i = 0; i < N; ++i) {
        expected[i] = 2.0 * input[i] + 1;
        bound[i] = 1e-6;
        got[i] = (float)expected[i];
    }
    buffer = (struct lab_buffer){
        .name = "out", .type = LAB_F32, .role = LAB_OUTPUT, .count = N, .expected = expected, .bound = bound};
    return 0;
}

static uint64_t wrong(void)
{
    return lab_compare(&buffer, got, NULL).wrong;
}

static void right_is_right(void **state)
{
    (void)state;
    assert_int_equal(wrong(), 0);
}

static void nan_is_never_right(void **state)
{
    (void)state;
    got[3] = NAN;
    assert_int_equal(wrong(), 1);
    expected[3] = NAN; // not even where NaN is expected
    assert_int_equal(wrong(), 1);
    buffer.bound = NULL;
    assert_true(wrong() >= 1);
    bound[3] = NAN;
    buffer.bound = bound;
    assert_int_equal(wrong(), 1);
}

static void what_is_skipped_is_not_compared(void **state)
{
    (void)state;
    static uint8_t skipped[N];
    got[3] = NAN;
    skipped[3] = 1;
    buffer.skipped = skipped;
    assert_int_equal(wrong(), 0);
    got[4] = NAN;
    assert_int_equal(wrong(), 1);
    buffer.skipped = NULL;
}

static void infinite_bound_lets_nothing_pass(void **state)
{
    (void)state;
    for (int i = 0; i < N; ++i) bound[i] = INFINITY;
    assert_int_equal(wrong(), N);
    got[0] = INFINITY;
    assert_int_equal(wrong(), N);
}

static void negative_bound_lets_nothing_pass(void **state)
{
    (void)state;
    bound[5] = -1;
    assert_int_equal(wrong(), 1);
}

static void lazy_outputs_are_wrong(void **state)
{
    (void)state;
    memset(got, 0, sizeof got);
    assert_int_equal(wrong(), N);
    memcpy(got, input, sizeof got);
    assert_true(wrong() > N / 2);
    for (int i = 0; i < N; ++i) got[i] = got[0];
    assert_true(wrong() >= N - 1);
    for (int i = 0; i < N; ++i) got[i] = i < N / 2 ? (float)expected[i] : 0;
    assert_int_equal(wrong(), N / 2);
}

static void bound_is_kept(void **state)
{
    (void)state;
    got[9] = (float)(expected[9] + 2e-6);
    assert_int_equal(wrong(), 1);
    got[9] = (float)(expected[9] + 5e-7);
    assert_int_equal(wrong(), 0);
}

static void first_ones_are_shown(void **state)
{
    (void)state;
    for (int i = 10; i < 20; ++i) got[i] = 99;
    struct lab_comparison c = lab_compare(&buffer, got, NULL);
    assert_int_equal(c.wrong, 10);
    assert_int_equal(c.shown, LAB_MISMATCHES);
    assert_int_equal(c.mismatch[0].index, 10);
    assert_true(c.mismatch[0].got == 99 && c.mismatch[0].expected == expected[10]);
}

static void poison_is_counted(void **state)
{
    (void)state;
    float poison[N];
    for (int i = 0; i < N; ++i) poison[i] = NAN;
    got[7] = poison[7];
    got[8] = 1e9f;
    struct lab_comparison c = lab_compare(&buffer, got, poison);
    assert_int_equal(c.wrong, 2);
    assert_int_equal(c.poisoned, 1);
    assert_true(c.mismatch[0].unwritten && !c.mismatch[1].unwritten);
}

static void integers_are_exact(void **state)
{
    (void)state;
    uint32_t value[3] = {0, UINT32_MAX, 16777217};
    double want[3] = {0, 4294967295.0, 16777217};
    struct lab_buffer b = {.type = LAB_U32, .count = 3, .expected = want};
    assert_int_equal(lab_compare(&b, value, NULL).wrong, 0);
    value[2] = 16777216; // what a float would have made of it
    assert_int_equal(lab_compare(&b, value, NULL).wrong, 1);
    b.type = LAB_I32;
    want[1] = -1;
    value[2] = 16777217;
    assert_int_equal(lab_compare(&b, value, NULL).wrong, 0);
}

static void infinity_is_right_where_it_is_exact(void **state)
{
    (void)state;
    buffer.bound = NULL;
    for (int i = 0; i < N; ++i) expected[i] = got[i];
    expected[2] = got[2] = INFINITY;
    assert_int_equal(wrong(), 0);
    got[2] = -INFINITY;
    assert_int_equal(wrong(), 1);
}

#define TEST(name) cmocka_unit_test_setup(name, prepare)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(right_is_right),
        TEST(nan_is_never_right),
        TEST(what_is_skipped_is_not_compared),
        TEST(infinite_bound_lets_nothing_pass),
        TEST(negative_bound_lets_nothing_pass),
        TEST(lazy_outputs_are_wrong),
        TEST(bound_is_kept),
        TEST(first_ones_are_shown),
        TEST(poison_is_counted),
        TEST(integers_are_exact),
        TEST(infinity_is_right_where_it_is_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
