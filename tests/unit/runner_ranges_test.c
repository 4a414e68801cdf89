// Sets of addresses, compared with a plain map of bytes: many random short ranges are added and removed.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "host/border/ranges.h"

enum { SPACE = 64, STEPS = 20000 };

static int plain_has(const char *set, uint64_t from, uint64_t to)
{
    for (uint64_t i = from; i < to; ++i)
        if (!set[i]) return 0;
    return 1;
}

static void as_a_map_of_bytes(void **state)
{
    char set[SPACE] = {0};
    struct ranges r = {0};
    struct prng random = prng_stream(1, "ranges");
    (void)state;
    for (int i = 0; i < STEPS; ++i) {
        uint64_t from = prng_below(&random, SPACE), to = from + prng_below(&random, (uint32_t)(SPACE - from) + 1);
        int add = (int)prng_below(&random, 2);
        (add ? ranges_add : ranges_remove)(&r, from, to);
        memset(set + from, add, to - from);
        for (uint32_t k = 0; k < r.count; ++k) {
            assert_true(r.range[k].from < r.range[k].to);
            assert_true(!k || r.range[k - 1].to < r.range[k].from); // apart: what touches is one
        }
        for (int n = 0; n < 8; ++n) {
            from = prng_below(&random, SPACE);
            to = from + prng_below(&random, (uint32_t)(SPACE - from) + 1);
            assert_int_equal(ranges_have(&r, from, to), plain_has(set, from, to));
        }
    }
    ranges_free(&r);
}

static void an_empty_range_is_everywhere(void **state)
{
    struct ranges r = {0};
    (void)state;
    assert_true(ranges_have(&r, 5, 5));
    ranges_add(&r, 7, 7);
    ranges_remove(&r, 0, UINT64_MAX);
    assert_int_equal(r.count, 0);
    ranges_add(&r, 0, UINT64_MAX);
    assert_true(ranges_have(&r, 1, UINT64_MAX));
    ranges_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(as_a_map_of_bytes),
        cmocka_unit_test(an_empty_range_is_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
