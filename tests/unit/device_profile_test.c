// Device profiles: each value is present and names its source; the size of the L1 cache that remains; the number of
// resident blocks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <string.h>

#include "device/occupancy.h"
#include "device/profile.h"

static void profiles_are_found_by_name(void **state)
{
    (void)state;
    assert_string_equal(device_profile_find(NULL)->name, "h200");
    assert_ptr_equal(device_profile_find("h200"), device_profile_at(0));
    assert_null(device_profile_find("abacus"));
    assert_null(device_profile_find(""));
    size_t n = 0;
    while (device_profile_at(n)) n++;
    for (size_t i = 0; i < n; i++)
        assert_ptr_equal(device_profile_find(device_profile_at(i)->name), device_profile_at(i));
}

static void every_value_has_a_source(void **state)
{
    (void)state;
    for (size_t p = 0; device_profile_at(p); p++) {
        for (size_t i = 0; i < device_profile_fields; i++) {
            int64_t value =
                *(const int64_t *)(const void *)((const char *)device_profile_at(p) + device_profile_field[i].offset);
            const char *source = device_profile_source(device_profile_at(p), device_profile_field[i].name);
            if (value == 0 && !source) continue; // the device does not have it
            assert_non_null(source);
            assert_true(strlen(source) > 8);
            assert_true(value > 0);
        }
        assert_true(device_profile_at(p)->carveouts > 0 && device_profile_at(p)->carveouts <= DEVICE_CARVEOUTS);
    }
    for (size_t i = 0; i < device_profile_fields; i++)
        if (strcmp(device_profile_field[i].name, "l1_local_only") != 0)
            assert_non_null(device_profile_source(device_profile_find("h200"), device_profile_field[i].name));
    assert_null(device_profile_source(device_profile_find("h200"), "colour"));
}

static void shared_memory_takes_from_the_l1(void **state)
{
    (void)state;
    const struct device_profile *d = device_profile_find("h200");
    assert_int_equal(device_profile_l1_bytes(d, 0, 8), 256 << 10);
    assert_int_equal(device_profile_l1_bytes(d, 2048, 8), (256 - 32) << 10); // 24 KB with the system's part
    assert_int_equal(device_profile_l1_bytes(d, 8448, 4), (256 - 64) << 10);
    assert_int_equal(device_profile_l1_bytes(d, 227 << 10, 1), (256 - 228) << 10);
}

static void an_older_l1_holds_no_global_memory(void **state)
{
    (void)state;
    assert_int_equal(device_profile_l1_bytes(device_profile_find("gk110"), 0, 8), 0);
    assert_int_equal(device_profile_l1_bytes(device_profile_find("t4"), 0, 4), (96 - 32) << 10);
}

static void blocks_are_limited_by_what_runs_out(void **state)
{
    (void)state;
    static const struct {
        uint32_t threads, registers, shared, blocks;
        enum occupancy_limit limit;
    } rows[] = {
        {256, 32, 0, 8, LIMIT_WARPS},        {1024, 32, 8192, 2, LIMIT_WARPS},    {32, 16, 0, 32, LIMIT_BLOCKS},
        {64, 16, 0, 32, LIMIT_WARPS},        {256, 48, 0, 5, LIMIT_REGISTERS}, // l1_reg_4x4
        {256, 64, 8448, 4, LIMIT_REGISTERS},                                   // l2_tile64_reg4
        {128, 36, 512, 12, LIMIT_REGISTERS}, // l5_block_row: 40 registers a thread are taken
        {256, 33, 0, 6, LIMIT_REGISTERS},    {64, 16, 48 << 10, 4, LIMIT_SHARED}, {64, 16, 232448, 1, LIMIT_SHARED},
        {64, 16, 232449, 0, LIMIT_SHARED},   {1025, 16, 0, 0, LIMIT_WARPS},       {64, 256, 0, 0, LIMIT_REGISTERS},
        {1024, 65, 0, 0, LIMIT_REGISTERS},   {33, 16, 0, 32, LIMIT_WARPS},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct occupancy o =
            occupancy_of(device_profile_find(NULL), rows[i].threads, rows[i].registers, rows[i].shared);
        assert_int_equal(o.blocks, rows[i].blocks);
        assert_string_equal(occupancy_limit_name[o.limit], occupancy_limit_name[rows[i].limit]);
        assert_int_equal(o.warps, o.blocks * ((rows[i].threads + 31) / 32));
        assert_int_equal(o.permille, o.warps * 1000 / 64);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(profiles_are_found_by_name),          cmocka_unit_test(every_value_has_a_source),
        cmocka_unit_test(shared_memory_takes_from_the_l1),     cmocka_unit_test(an_older_l1_holds_no_global_memory),
        cmocka_unit_test(blocks_are_limited_by_what_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
