// The simulated caches: hits and misses, the order of warps, and the traffic that reaches DRAM.
#include "sim_fixture.h"

#include "sim/machine/access.h"
#include "sim/machine/block_memory.h"
#include "sim/machine/memory.h"
#include "sim/timing/l2.h"
#include "sim/timing/l2_lines.h"

static uint32_t row[4][32] __attribute__((aligned(64)));
static void *rows[4] = {row[0], row[1], row[2], row[3]};
static const void *const stores[4] = {row[0], row[1], row[2], row[3]};

struct rig {
    struct fixture *f;
    struct l2 *l2;
    struct l2_lines *lines;
    uint64_t base;
    struct counters total;
    struct l2_loads loads[64];
    uint64_t blocks;
};

static struct rig start(uint64_t bytes)
{
    struct rig r = {.f = fixture_new()};
    r.f->request.cold = 1;
    fixture_start(r.f, 128, 1, 0, 0);
    r.f->block.l1 = l1_new(&r.f->launch);
    r.lines = l2_lines_new(r.f->launch.device);
    r.l2 = l2_new(&r.f->launch, r.lines);
    int b = sim_memory_alloc(r.f->launch.memory, bytes, 4);
    r.base = sim_memory_address(r.f->launch.memory, b);
    l1_begin(r.f->block.l1);
    return r;
}

static void act(struct rig *r, uint32_t warp, uint32_t op, enum access_kind kind, uint64_t offset, int64_t stride)
{
    struct sim_access a = fixture_access(SPACE_GLOBAL, kind, op, 0xffffffffu, r->base + offset, stride);
    a.atom = PTX_ATOM_ADD;
    if (kind == ACCESS_READ) access_load(&r->f->warp[warp], &a, rows, NULL);
    if (kind == ACCESS_WRITE) access_store(&r->f->warp[warp], &a, stores, NULL);
    if (kind == ACCESS_ATOMIC) access_atomic(&r->f->warp[warp], &a, NULL, row[3], NULL);
}

static void end_block(struct rig *r)
{
    block_memory_end(&r->f->block);
    l2_commit(r->l2, r->blocks++, &r->f->block.sectors, &r->total, r->loads);
    assert_int_equal(r->f->block.sectors.count, 0);
    l1_begin(r->f->block.l1);
}

static void finish(struct rig *r)
{
    l2_free(r->l2);
    l2_lines_free(r->lines);
    fixture_free(r->f);
}

static void launches_that_need_no_time_have_no_caches(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    assert_null(l1_new(&f->launch));
    assert_null(l2_new(&f->launch, NULL));
    fixture_free(f);
}

static void a_block_finds_its_own_lines_again(void **state)
{
    (void)state;
    struct rig r = start(1 << 20);
    act(&r, 0, 1, ACCESS_READ, 0, 4);
    act(&r, 1, 2, ACCESS_READ, 0, 4);
    act(&r, 0, 3, ACCESS_READ, 64, 4); // two sectors again, two new
    end_block(&r);
    assert_int_equal(r.f->worker.op[1].global_ld_l1_hit_sectors, 0);
    assert_int_equal(r.f->worker.op[2].global_ld_l1_hit_sectors, 4);
    assert_int_equal(r.f->worker.op[3].global_ld_l1_hit_sectors, 2);
    assert_int_equal(r.total.dram_ld_bytes, 6 * 32);
    assert_int_equal(r.total.l2_hit_sectors, 0);
    act(&r, 0, 4, ACCESS_READ, 0, 4); // the next block: from the L2
    end_block(&r);
    assert_int_equal(r.f->worker.op[4].global_ld_l1_hit_sectors, 0);
    assert_int_equal(r.total.dram_ld_bytes, 6 * 32);
    assert_int_equal(r.total.l2_hit_sectors, 4);
    finish(&r);
}

// Ends the launch, unless it is to be repeated, and begins the next launch on the lines that are in the L2 now.
static void next_launch(struct rig *r, int is_repeated)
{
    if (!is_repeated) l2_end(r->l2, &r->total);
    l2_free(r->l2);
    r->l2 = l2_new(&r->f->launch, r->lines);
    r->total = (struct counters){0};
    r->blocks = 0;
}

static uint64_t dram_bytes_of_a_load(struct rig *r, uint64_t offset)
{
    uint64_t before = r->total.dram_ld_bytes;
    act(r, 0, 1, ACCESS_READ, offset, 4);
    end_block(r);
    return r->total.dram_ld_bytes - before;
}

static void a_launch_finds_the_lines_that_the_one_before_it_left(void **state)
{
    (void)state;
    struct rig r = start(1 << 20);
    assert_int_equal(dram_bytes_of_a_load(&r, 0), 128);
    next_launch(&r, 0);
    assert_int_equal(dram_bytes_of_a_load(&r, 0), 0);
    finish(&r);
}

static void a_repeated_launch_finds_what_its_first_try_found(void **state)
{
    (void)state;
    struct rig r = start(64 << 20);
    act(&r, 0, 1, ACCESS_WRITE, 0, 4);
    end_block(&r);
    next_launch(&r, 0);
    uint64_t digest = l2_lines_digest(r.lines), dirty = r.lines->dirty_lines;
    for (uint64_t at = 4096; at < 32 << 20; at += 128) act(&r, 0, 1, ACCESS_WRITE, at, 4); // more than may stay dirty
    end_block(&r);
    assert_int_not_equal(l2_lines_digest(r.lines), digest);
    next_launch(&r, 1);
    assert_int_equal(l2_lines_digest(r.lines), digest);
    assert_int_equal(r.lines->dirty_lines, dirty);
    assert_int_equal(dram_bytes_of_a_load(&r, 0), 0);
    assert_int_equal(dram_bytes_of_a_load(&r, 4096), 128);
    for (uint64_t at = 4096; at < 32 << 20; at += 128) act(&r, 0, 1, ACCESS_READ, at, 4); // takes every way into use
    end_block(&r);
    assert_int_equal(r.lines->dirty_lines, dirty);
    finish(&r);
}

static void a_launch_that_is_recalled_leaves_the_same_lines(void **state)
{
    (void)state;
    struct rig r = start(1 << 20);
    act(&r, 0, 1, ACCESS_READ, 0, 4);
    act(&r, 0, 1, ACCESS_WRITE, 1024, 4);
    end_block(&r);
    l2_end(r.l2, &r.total);
    uint64_t left = l2_lines_digest(r.lines), dirty = r.lines->dirty_sectors;
    struct l2_change *change = l2_lines_changed(r.lines);
    struct l2_lines *other = l2_lines_new(r.f->launch.device);
    l2_lines_apply(other, change);
    assert_int_equal(l2_lines_digest(other), left);
    assert_int_equal(other->dirty_sectors, dirty);
    l2_lines_apply(other, change); // once more changes nothing
    assert_int_equal(l2_lines_digest(other), left);
    assert_int_equal(other->dirty_sectors, dirty);
    l2_lines_change_free(change);
    l2_lines_free(other);
    finish(&r);
}

static void a_copy_leaves_its_bytes_in_the_l2(void **state)
{
    (void)state;
    struct rig r = start(1 << 20);
    l2_end(r.l2, &r.total);
    l2_lines_copied(r.lines, r.base + 100, 8, 1);
    assert_int_equal(r.lines->dirty_lines, 1);
    l2_lines_copied(r.lines, r.base + 1000, 100, 0); // of three lines, the last is not touched
    assert_int_equal(r.lines->dirty_lines, 1);
    next_launch(&r, 0);
    assert_int_equal(dram_bytes_of_a_load(&r, 0), 0);
    assert_int_equal(dram_bytes_of_a_load(&r, 896), 0);
    assert_int_equal(dram_bytes_of_a_load(&r, 1024), 0);
    assert_int_equal(dram_bytes_of_a_load(&r, 1152), 128);
    finish(&r);
}

// Lines that become dirty again and again, each time after they were evicted, must not fill the host's memory.
static void the_queue_of_dirty_lines_stays_short(void **state)
{
    (void)state;
    struct l2_lines *l = l2_lines_new(device_profile_find("h200"));
    uint64_t capacity = (uint64_t)l->sets * WAYS * L2_LINE;
    for (int k = 0; k < 40; k++) {
        l2_lines_copied(l, (uint64_t)1 << 40, 1 << 20, 1);
        l2_lines_copied(l, (uint64_t)2 << 40, 2 * capacity, 0); // evicts them
    }
    assert_true(l->dirty_lines < (1 << 19) / L2_LINE);
    assert_true(l->slots <= 4 * ((1 << 20) / L2_LINE));
    l2_lines_free(l);
}

static void warps_take_turns_whatever_ran_first(void **state)
{
    (void)state;
    struct rig r = start(64 << 20);
    // Each warp walks through 1 MB, far more than the cache holds; in turn, three of four find the line.
    for (uint32_t w = 0; w < 4; w++) {
        for (uint64_t at = 0; at < 1 << 20; at += 128) act(&r, w, w, ACCESS_READ, at, 4);
    }
    end_block(&r);
    uint64_t hits = 0;
    for (uint32_t w = 0; w < 4; w++) hits += r.f->worker.op[w].global_ld_l1_hit_sectors;
    assert_int_equal(hits, 3 * (1 << 20) / 32);
    finish(&r);
}

// A float in each line: the L2 has no room for so many dirty lines, and what goes must be made whole first.
static void parts_of_sectors_are_completed_before_they_go(void **state)
{
    (void)state;
    uint64_t lines = (uint64_t)device_profile_find("h200")->l2_dirty_bytes / 128, more = 4096;
    struct rig r = start((lines + more) * 128);
    for (uint64_t at = 0; at < lines + more; at += 32) {
        act(&r, 0, 1, ACCESS_WRITE, at * 128, 128);
        end_block(&r);
    }
    assert_in_range(r.total.dram_partial_lines, more, more + 32);
    assert_int_equal(r.total.dram_st_bytes, r.total.dram_partial_lines * 32);
    assert_int_equal(r.total.dram_fill_bytes, r.total.dram_st_bytes);
    assert_int_equal(r.total.dram_ld_bytes, r.total.dram_fill_bytes);
    finish(&r);
}

// Two words of each sector, the second after the line has left: DRAM completes the sector for each of them.
static void a_sector_is_completed_at_each_write_back(void **state)
{
    (void)state;
    uint64_t lines = (uint64_t)device_profile_find("h200")->l2_dirty_bytes / 128, more = 4096;
    struct rig r = start((lines + more) * 128);
    for (uint64_t word = 0; word < 2; word++)
        for (uint64_t at = 0; at < lines + more; at += 32) {
            act(&r, 0, 1, ACCESS_WRITE, at * 128 + word * 4, 128);
            end_block(&r);
        }
    assert_true(r.total.dram_partial_lines >= lines + 2 * more - 32);
    assert_int_equal(r.total.dram_fill_bytes, r.total.dram_st_bytes);
    finish(&r);
}

// Two halves of each sector, stored by two warps: nothing is read.
static void sectors_stored_in_pieces_become_whole(void **state)
{
    (void)state;
    uint64_t lines = (uint64_t)device_profile_find("h200")->l2_dirty_bytes / 128, more = 4096;
    struct rig r = start((lines + more) * 128);
    for (uint64_t at = 0; at < lines + more; at += 2) {
        for (uint32_t half = 0; half < 2; half++)
            for (uint64_t word = 0; word < 4; word++)
                act(&r, half, 1, ACCESS_WRITE, at * 128 + half * 16 + word * 4, 32); // 8 sectors, a word of each
        if (at % 32 == 0) end_block(&r);
    }
    end_block(&r);
    assert_int_equal(r.total.dram_fill_bytes, 0);
    assert_true(r.total.dram_st_bytes >= more * 128);
    finish(&r);
}

// Two stores to two lines, of every other word and of those between: as one where they follow each other, as two where
// something stands between them, or another warp stores.
static void stores_that_follow_one_another_are_one(void **state)
{
    (void)state;
    struct rig r = start(4096);
    act(&r, 0, 1, ACCESS_WRITE, 0, 8);
    act(&r, 0, 2, ACCESS_WRITE, 4, 8);
    end_block(&r);
    assert_int_equal(r.total.l2_st_lines, 2);
    assert_int_equal(r.total.l2_partial_sectors, 0);
    act(&r, 0, 1, ACCESS_WRITE, 0, 8);
    act(&r, 0, 3, ACCESS_READ, 0, 8);
    act(&r, 0, 2, ACCESS_WRITE, 4, 8);
    end_block(&r);
    assert_int_equal(r.total.l2_st_lines, 2 + 4);
    assert_int_equal(r.total.l2_partial_sectors, 16);
    act(&r, 0, 1, ACCESS_WRITE, 0, 8);
    act(&r, 1, 2, ACCESS_WRITE, 4, 8);
    end_block(&r);
    assert_int_equal(r.total.l2_st_lines, 2 + 4 + 4);
    finish(&r);
}

static void coherent_loads_pass_the_l1_by(void **state)
{
    (void)state;
    struct rig r = start(4096);
    for (int i = 0; i < 2; i++) {
        struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_READ, 1, 0xffffffffu, r.base, 4);
        a.cache = PTX_CG;
        access_load(&r.f->warp[0], &a, rows, NULL);
    }
    end_block(&r);
    assert_int_equal(r.f->worker.op[1].global_ld_l1_hit_sectors, 0);
    assert_int_equal(r.total.l2_hit_sectors, 4);
    finish(&r);
}

static void dram_is_fetched_in_pairs_of_sectors(void **state)
{
    (void)state;
    struct rig r = start(1 << 20);
    act(&r, 0, 1, ACCESS_READ, 0, 512); // one float in 512 bytes
    end_block(&r);
    assert_int_equal(r.total.dram_ld_bytes, 32 * 64);
    finish(&r);
}

static void written_data_stay_until_there_are_too_many(void **state)
{
    (void)state;
    struct rig r = start(64 << 20);
    uint64_t limit = (uint64_t)r.f->launch.device->l2_dirty_bytes;
    for (uint64_t at = 0; at + 128 <= limit; at += 128) act(&r, 0, 1, ACCESS_WRITE, at, 4);
    end_block(&r);
    assert_int_equal(r.total.dram_st_bytes, 0);
    for (uint64_t at = 0; at < 1 << 20; at += 128) act(&r, 0, 1, ACCESS_WRITE, (32 << 20) + at, 4);
    end_block(&r);
    uint64_t over = limit / 128 * 128 + (1 << 20) - limit;
    assert_true(r.total.dram_st_bytes >= over && r.total.dram_st_bytes <= over + 128);
    uint64_t before = r.total.dram_st_bytes; // written again while dirty: no more traffic
    for (uint64_t at = 0; at < 1 << 20; at += 128) act(&r, 0, 1, ACCESS_WRITE, (32 << 20) + at, 4);
    end_block(&r);
    assert_int_equal(r.total.dram_st_bytes, before);
    // Half of the lines live in the far half and are counted twice.
    uint64_t sectors = r.f->worker.op[1].global_st_sectors;
    assert_true(r.total.l2_st_sectors > sectors * 148 / 100 && r.total.l2_st_sectors < sectors * 152 / 100);
    finish(&r);
}

static void what_exceeds_the_l2_comes_from_dram_again(void **state)
{
    (void)state;
    struct rig r = start(128 << 20);
    for (int pass = 0; pass < 2; pass++) {
        for (uint64_t at = 0; at < 128 << 20; at += 128) act(&r, 0, 1, ACCESS_READ, at, 4);
        end_block(&r);
    }
    assert_true(r.total.dram_ld_bytes > (uint64_t)200 << 20);
    finish(&r);
}

// Of a launch with more data than the L2 holds, blocks come that are far apart; a block brings 4096 lines, so that a
// hundred would fill it. The second runs beside the first, whose lines it finds; the third does not.
static void what_a_sample_leaves_out_pushes_lines_out(void **state)
{
    (void)state;
    enum { LINES = 4096 };
    for (uint32_t fits = 0; fits < 2; fits++) {
        static const uint64_t blocks[] = {0, 120, 600}, misses[][3] = {{1, 1, 2}, {1, 1, 1}};
        struct rig r = start(32 << 20);
        l2_sample(r.l2, (uint64_t)(fits ? 32 : 64) << 20, 0);
        for (int k = 0; k < 3; k++) {
            for (uint64_t at = 0; at < LINES; at += 32) act(&r, 0, 1, ACCESS_READ, at * 128, 128);
            r.blocks = blocks[k];
            end_block(&r);
            assert_int_equal(r.total.dram_ld_bytes, misses[fits][k] * LINES * 64);
        }
        finish(&r);
    }
}

// A float in each sector, by one block of a thousand: with the other seven by its neighbours, and without.
static void what_a_sample_leaves_in_part_others_make_whole_or_dram(void **state)
{
    (void)state;
    enum { SECTORS = 1 << 15, BLOCKS = 1000 };
    for (uint32_t joined = 0; joined <= 1000; joined += 1000) {
        struct rig r = start(SECTORS * 32);
        l2_sample(r.l2, SECTORS * 32, joined);
        for (uint64_t at = 0; at < SECTORS; at += 32) act(&r, 0, 1, ACCESS_WRITE, at * 32, 32);
        end_block(&r);
        assert_int_equal(l2_partial(r.l2).sectors, SECTORS);
        assert_int_equal(l2_partial(r.l2).words, SECTORS * 7);
        l2_scale(r.l2, &r.total, BLOCKS, 1, 0);
        uint64_t kept = (uint64_t)device_profile_find("h200")->l2_dirty_bytes / 128 * 128;
        uint64_t written = (uint64_t)BLOCKS * SECTORS * (joined ? 4 : 32);
        assert_int_equal(r.total.dram_st_bytes, written - kept);
        assert_int_equal(r.total.dram_ld_bytes, r.total.dram_fill_bytes);
        if (joined)
            assert_int_equal(r.total.dram_fill_bytes, 0);
        else
            assert_in_range(r.total.dram_fill_bytes, (written - kept) / 100 * 99, written - kept);
        finish(&r);
    }
}

static void the_busiest_place_of_atomics_is_known(void **state)
{
    (void)state;
    struct rig r = start(1 << 20);
    for (int i = 0; i < 10; i++) act(&r, 0, 1, ACCESS_ATOMIC, 0, 0);     // one word: 32 operations each
    for (int i = 0; i < 10; i++) act(&r, 0, 1, ACCESS_ATOMIC, 65536, 4); // a line: 4 operations each
    end_block(&r);
    l2_end(r.l2, &r.total);
    assert_int_equal(r.total.global_atomic_hot, 320);
    assert_int_equal(r.total.global_atomic_hot_whole, 0);
    assert_int_equal(r.f->worker.op[1].global_red_sectors, 360);
    assert_int_equal(r.total.l2_st_sectors, 0);
    finish(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_that_need_no_time_have_no_caches),
        cmocka_unit_test(a_block_finds_its_own_lines_again),
        cmocka_unit_test(a_launch_finds_the_lines_that_the_one_before_it_left),
        cmocka_unit_test(a_repeated_launch_finds_what_its_first_try_found),
        cmocka_unit_test(a_launch_that_is_recalled_leaves_the_same_lines),
        cmocka_unit_test(a_copy_leaves_its_bytes_in_the_l2),
        cmocka_unit_test(the_queue_of_dirty_lines_stays_short),
        cmocka_unit_test(warps_take_turns_whatever_ran_first),
        cmocka_unit_test(parts_of_sectors_are_completed_before_they_go),
        cmocka_unit_test(a_sector_is_completed_at_each_write_back),
        cmocka_unit_test(sectors_stored_in_pieces_become_whole),
        cmocka_unit_test(stores_that_follow_one_another_are_one),
        cmocka_unit_test(coherent_loads_pass_the_l1_by),
        cmocka_unit_test(dram_is_fetched_in_pairs_of_sectors),
        cmocka_unit_test(written_data_stay_until_there_are_too_many),
        cmocka_unit_test(what_exceeds_the_l2_comes_from_dram_again),
        cmocka_unit_test(what_a_sample_leaves_out_pushes_lines_out),
        cmocka_unit_test(what_a_sample_leaves_in_part_others_make_whole_or_dram),
        cmocka_unit_test(the_busiest_place_of_atomics_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
