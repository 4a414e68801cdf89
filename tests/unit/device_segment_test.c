// Transactions of a Kepler GPU: the published rules, pattern by pattern.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "base/prng.h"
#include "device/segment.h"

static uint64_t address[COALESCE_LANES];
static struct segments s;

static void all(uint64_t first, uint64_t step)
{
    for (int i = 0; i < COALESCE_LANES; i++) address[i] = first + (uint64_t)i * step;
}

static void costs(uint32_t mask, uint32_t bytes, int cached, uint32_t count, uint32_t moved)
{
    segment_transactions(&s, address, mask, bytes, cached);
    assert_int_equal(s.count, count);
    assert_int_equal(s.bytes, moved);
    for (uint32_t i = 0; i < s.count; i++) assert_int_equal(s.item[i].address % s.item[i].bytes, 0);
}

static void one_access_of_four_segments(void **state)
{
    (void)state;
    all(0x1000, 4);
    costs(~0u, 4, 0, 1, 128);
    costs(~0u, 4, 1, 1, 128);
    struct prng random = prng_stream(1, "permutation");
    uint32_t order[COALESCE_LANES];
    for (uint32_t i = 0; i < COALESCE_LANES; i++) order[i] = i;
    prng_shuffle(&random, order, COALESCE_LANES);
    for (uint32_t i = 0; i < COALESCE_LANES; i++) address[i] = 0x1000 + 4 * order[i];
    costs(~0u, 4, 0, 1, 128); // any permutation within 128 bytes costs one
    all(0x1000, 0);
    costs(~0u, 4, 0, 1, 32);
    costs(~0u, 4, 1, 1, 128);
}

static void preference_and_alignment(void **state)
{
    (void)state;
    all(0x1000, 4);
    costs(0x0000ffff, 4, 0, 1, 64); // segments 0 and 1
    costs(0xffff0000, 4, 0, 1, 64); // 2 and 3
    costs(0x00ffff00, 4, 0, 2, 64); // 1 and 2: a pair must be aligned
    costs(0x00ffffff, 4, 0, 2, 96); // 0, 1 and 2: a pair and a single one
    costs(0xff0000ff, 4, 0, 2, 64); // 0 and 3
    all(0x1010, 4);
    costs(~0u, 4, 0, 2, 160); // shifted by 16 bytes: a whole line and a segment more
    costs(~0u, 4, 1, 2, 256);
    all(0x1000, 8);
    costs(~0u, 4, 0, 2, 256); // stride 2
    all(0x1000, 128);
    costs(~0u, 4, 0, 32, 32 * 32);
    costs(~0u, 4, 1, 32, 32 * 128);
    all(0x1000, 16);
    costs(~0u, 16, 0, 4, 512); // 128-bit accesses
}

// Fewer bytes, and yet more accesses: four lines in which six groups of segments are touched.
static void scattered_pattern(void **state)
{
    (void)state;
    static const uint32_t segment[] = {0, 2, 4, 9, 11, 13};
    for (uint32_t i = 0; i < COALESCE_LANES; i++) address[i] = 0x1000 + 32 * (uint64_t)segment[i % 6] + 4 * (i / 6);
    costs(~0u, 4, 1, 4, 512);
    costs(~0u, 4, 0, 6, 192);
}

static void no_lane(void **state)
{
    (void)state;
    costs(0, 4, 0, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_access_of_four_segments),
        cmocka_unit_test(preference_and_alignment),
        cmocka_unit_test(scattered_pattern),
        cmocka_unit_test(no_lane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
