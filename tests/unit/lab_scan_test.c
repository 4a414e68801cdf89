// Contract of lab 3: which launch shapes of the three kernels fit together, the messages for the others, and the number
// of sums.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/prng.h"
#include "lab/lab.h"

enum { BLOCK_SUMS, SCAN_SUMS, SCAN_BLOCKS };
enum { SUMS = 1, OUT = 2 };

static struct lab_plan planned(struct arena *arena, const struct lab_case *which, const struct lab_shape shape[3])
{
    struct lab_plan p = {.lab = lab_find("lab3"), .which = which, .dim = which->dim, .sms = 4, .arena = arena};
    memcpy(p.shape, shape, 3 * sizeof *shape);
    p.lab->plan(&p);
    return p;
}

static const struct lab_case thousand = {"1000", {1000}, "random", .flags = 0};

static void tiles_make_sums(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct lab_shape shape[3] = {{.block = {128}, .tile = {256}}, {.block = {64}}, {.block = {256}}};
    struct lab_plan p = planned(&arena, &thousand, shape);
    assert_string_equal(p.rejected, ""); // a tile that is not given is the block
    assert_int_equal(p.nsteps, 3);
    assert_int_equal(p.buffer[SUMS].count, 4);
    assert_int_equal(p.step[SCAN_SUMS].launch.grid[0], 1);
    assert_int_equal(p.step[SCAN_SUMS].launch.arg[1].value, 4);
    assert_int_equal(p.step[SCAN_BLOCKS].launch.grid[0], 4);
    arena_free(&arena);
}

static void shapes_that_break_the_contract(void **state)
{
    (void)state;
    const struct {
        struct lab_shape shape[3];
        const char *said;
    } bad[] = {
        {{{.block = {256}}, {.block = {64}}, {.block = {128}}}, "they must agree"},
        {{{.block = {256}, .grid = {8}}, {.block = {64}}, {.block = {256}}}, "they must agree"},
        {{{.block = {256}, .per_sm = 2}, {.block = {64}}, {.block = {256}, .per_sm = 2}},
         "'block_sums' is launched by"},
        {{{.block = {256}}, {.block = {64}, .grid = {2}}, {.block = {256}}}, "more than one block"},
        {{{.block = {256}, .grid = {UINT32_MAX}}, {.block = {64}}, {.block = {256}, .grid = {UINT32_MAX}}},
         "each must own some"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct arena arena = {0};
        struct lab_plan p = planned(&arena, &thousand, bad[i].shape);
        assert_non_null(strstr(p.rejected, bad[i].said));
        assert_true(p.buffer[SUMS].count <= 1000);
        arena_free(&arena);
    }
}

static void sums_wrap_around(void **state)
{
    (void)state;
    struct arena arena = {0};
    const struct lab_shape shape[3] = {{.block = {256}}, {.block = {256}}, {.block = {256}}};
    const struct lab_case largest = {"3", {3}, "largest", .flags = 0};
    struct lab_plan p = planned(&arena, &largest, shape);
    struct prng random = prng_stream(1, "largest");
    p.lab->fill(&p, &random);
    p.lab->expect(&p);
    for (int i = 0; i < 3; ++i) assert_true(p.buffer[OUT].expected[i] == 4294967295.0 - i); // -1, -2, -3 modulo 2^32
    arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tiles_make_sums),
        cmocka_unit_test(shapes_that_break_the_contract),
        cmocka_unit_test(sums_wrap_around),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
