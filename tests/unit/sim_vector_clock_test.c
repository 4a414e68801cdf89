// Vector clocks against a table: whatever was raised is known, and nothing else, for clocks with one entry a block,
// with many entries a block, and with gaps.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "sim/hazard/vector_clock.h"

enum { BLOCKS = 40, THREADS = 64, FIRST = 7, STAMPS = 5 };

static uint32_t of_thread[BLOCKS][THREADS], of_warp[BLOCKS][THREADS / 32], of_block[BLOCKS];

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

static void raise_one(struct vector_clock **v, struct prng *random, uint32_t kinds)
{
    uint32_t block = prng_below(random, BLOCKS), thread = prng_below(random, THREADS);
    uint32_t stamp = 1 + prng_below(random, STAMPS), *known = &of_block[block];
    uint64_t who = vector_clock_block(FIRST + block);
    switch (prng_below(random, kinds)) {
    case 1:
        known = &of_warp[block][thread / 32];
        who = vector_clock_warp(FIRST + block, thread / 32);
        break;
    case 2:
        known = &of_thread[block][thread];
        who = vector_clock_thread(FIRST + block, thread);
        break;
    }
    assert_int_equal(vector_clock_raise(v, who, stamp), stamp > *known);
    *known = larger(*known, stamp);
}

static void knows_what_was_raised(const struct vector_clock *v)
{
    for (uint32_t block = 0; block < BLOCKS; block++)
        for (uint32_t thread = 0; thread < THREADS; thread++) {
            uint32_t known = larger(of_block[block], larger(of_warp[block][thread / 32], of_thread[block][thread]));
            for (uint32_t stamp = 1; stamp <= STAMPS + 1; stamp++)
                assert_int_equal(vector_clock_knows(v, FIRST + block, thread, stamp), stamp <= known);
        }
    assert_int_equal(vector_clock_knows(v, FIRST - 1, 0, 1), 0);
    assert_int_equal(vector_clock_knows(v, FIRST + BLOCKS, 0, 1), 0);
}

static void a_clock_knows_what_was_raised(void **state)
{
    (void)state;
    struct prng random = prng_stream(1, "vector clocks");
    for (uint32_t kinds = 1; kinds <= 3; kinds++)
        for (uint32_t raised = 0; raised < 600; raised = raised * 3 + 1) {
            struct vector_clock *v = NULL;
            memset(of_thread, 0, sizeof of_thread);
            memset(of_warp, 0, sizeof of_warp);
            memset(of_block, 0, sizeof of_block);
            for (uint32_t i = 0; i < raised; i++) raise_one(&v, &random, kinds);
            knows_what_was_raised(v);
            vector_clock_drop(v);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_clock_knows_what_was_raised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
