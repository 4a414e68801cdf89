// Loads that meet on their way to the L2: who shares, how far blocks are apart, and how many there are.
#include "device/profile.h"
#include "sim/timing/merging.h"
#include "sim_run.h"

enum { MISSED = 1000000 };

struct launched {
    const char *device;
    uint32_t wide, high, per_sm;
    struct merging meet;
    uint64_t barriers;
};

// Sectors that the L2 is asked for.
static uint64_t asked(const struct launched *w)
{
    struct engine_launch request = {.grid = {w->wide, w->high, 1}};
    struct sim_launch launch = {.request = &request,
                                .device = device_profile_find(w->device),
                                .blocks = (uint64_t)w->wide * w->high,
                                .blocks_per_sm = w->per_sm};
    struct counters c = {.global_ld_sectors = 3 * MISSED,
                         .global_ld_l1_hit_sectors = 2 * MISSED,
                         .l2_ld_sectors = MISSED,
                         .l2_hit_sectors = MISSED,
                         .block_barriers = w->barriers};
    assert_non_null(launch.device);
    merging_count(&w->meet, &launch, &c);
    assert_int_equal(c.l2_ld_sectors, c.l2_hit_sectors);
    return c.l2_ld_sectors;
}

// A product of 64 x 64 tiles: half of what a block loads is its row's, half its column's.
static const struct launched tiles = {"h200", 64, 64, 8, {500, 500, 0}, 4096 * 8 * 128};

static void a_tiled_product(void **state)
{
    (void)state;
    uint64_t n = asked(&tiles);
    assert_true(n > 750000 && n < 900000); // an H200: 0.82
}

static void nobody_meets(void **state)
{
    (void)state;
    struct launched apart = tiles, narrow = tiles, alone = tiles, other = tiles;
    apart.meet.row = apart.meet.column = 0;
    narrow.wide = 4; // blocks of a row: each in a group of its own
    narrow.meet.column = 0;
    alone.wide = alone.high = 1;
    other.device = "t4"; // not known of it
    assert_int_equal(asked(&apart), MISSED);
    assert_int_equal(asked(&narrow), MISSED);
    assert_int_equal(asked(&alone), MISSED);
    assert_int_equal(asked(&other), MISSED);
}

static void how_many_meet(void **state)
{
    (void)state;
    struct launched silent = tiles, once = tiles, few = tiles, all = tiles;
    silent.barriers = 0; // later generations drift apart
    once.high = 16;      // a quarter of it, all resident from the start: columns meet too
    few.per_sm = 2;      // fewer stand between one block and the next
    all.meet.row = all.meet.column = 1000;
    assert_true(asked(&silent) > asked(&tiles));
    assert_true(asked(&once) < asked(&tiles));
    assert_true(asked(&few) < asked(&tiles));
    assert_true(asked(&all) < asked(&tiles) && asked(&all) > 0);
}

// Blocks that load what is their own and add to counters that are everybody's have no loads in common.
static void atomics_do_not_meet(void **state)
{
    (void)state;
    static struct run loads, adds;
    loads = (struct run){.grid = 16, .sample = 1 << 20, .kernel = KERNEL("", "ld.global.u32 %r5, [%d3];\n")};
    adds = (struct run){.grid = 16,
                        .sample = 1 << 20,
                        .kernel = KERNEL("", "ld.global.u32 %r5, [%d3];\nmul.wide.u32 %d4, %r1, 4;\n"
                                             "add.u64 %d5, %d1, %d4;\nred.global.add.u32 [%d5+2048], 1;\n")};
    run_kernel(&loads);
    run_kernel(&adds);
    assert_true(loads.observation.counters.l2_ld_sectors >= 16 * 4);
    assert_int_equal(adds.observation.counters.l2_ld_sectors, loads.observation.counters.l2_ld_sectors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tiled_product),
        cmocka_unit_test(nobody_meets),
        cmocka_unit_test(how_many_meet),
        cmocka_unit_test(atomics_do_not_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
