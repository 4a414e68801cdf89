// The handouts' worked examples, on the textbook device. The kit must compute the same results as a student on paper.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "device/occupancy.h"
#include "device/roofline.h"
#include "device/segment.h"

static const struct device_profile *book(void)
{
    return device_profile_find("textbook");
}

static void ten_registers_a_thread(void **state)
{
    (void)state;
    // 1536 threads on 16,384 registers leave ten each: with eleven they no longer fit.
    assert_int_equal(occupancy_of(book(), 256, 10, 0).permille, 1000);
    assert_true(occupancy_of(book(), 256, 11, 0).permille < 1000);
    assert_int_equal(occupancy_of(book(), 256, 11, 0).limit, LIMIT_REGISTERS);
}

static void eight_blocks_three_blocks_six_kilobytes(void **state)
{
    (void)state;
    // Tiles of 16 x 16 floats, two of them: 2 KB a block. 16 KB hold eight blocks; 768 threads only three, 6 KB.
    struct device_profile small = *book();
    small.warps_per_sm = 768 / 32;
    struct occupancy o = occupancy_of(&small, 256, 10, 2048);
    assert_int_equal(o.by[LIMIT_SHARED], 8);
    assert_int_equal(o.by[LIMIT_WARPS], 3);
    assert_int_equal(o.blocks, 3);
    assert_int_equal(o.blocks * 2048, 6 << 10);
    assert_int_equal(occupancy_of(book(), 256, 10, 2048).blocks, 6); // and with 1536 threads six
}

static void fifty_gflops_at_a_ratio_of_one(void **state)
{
    (void)state;
    // The naive product loads a float, four bytes, for each operation: 200 GB/s feed 50 GFLOP/s of 1500.
    assert_true(fabs(roofline_peak(book()) - 1500) < 1e-9);
    assert_true(fabs(roofline_bound(book(), 1 / 4.0) - 50) < 1e-9);
    // 30 operations a float would be needed.
    assert_true(fabs(roofline_ridge(book()) * 4 - 30) < 1e-9);
    assert_true(fabs(roofline_bound(book(), 30 / 4.0) - 1500) < 1e-9);
    // A tile of 16 loads a sixteenth: 16 operations a float, 800 GFLOP/s.
    assert_true(fabs(roofline_bound(book(), 16 / 4.0) - 800) < 1e-9);
}

static void four_segments_in_one_access(void **state)
{
    (void)state;
    uint64_t address[COALESCE_LANES];
    struct segments s;
    for (int i = 0; i < COALESCE_LANES; i++) address[i] = 4 * (uint64_t)i;
    segment_transactions(&s, address, ~0u, 4, 0);
    assert_int_equal(s.count, 1);
    assert_int_equal(s.item[0].bytes / SEGMENT_BYTES, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ten_registers_a_thread),
        cmocka_unit_test(eight_blocks_three_blocks_six_kilobytes),
        cmocka_unit_test(fifty_gflops_at_a_ratio_of_one),
        cmocka_unit_test(four_segments_in_one_access),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
