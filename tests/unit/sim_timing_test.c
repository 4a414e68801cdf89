// The bounds of the time model, computed from a card's own counters (tests/truth/h200.csv, cold_us: median of 15
// launches, L2 flushed before each). The time that one resource needs must not exceed the card's time for the whole
// launch. "make fidelity" reports how close the total time is.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
// cmocka.h needs some of these
#include <cmocka.h>

#include "device/profile.h"
#include "sim/timing/timing.h"

enum { COLUMNS = 64, ROWS_MAX = 128 };

struct table {
    char text[64 << 10];
    char *name[COLUMNS];
    char *cell[ROWS_MAX][COLUMNS];
    int columns, rows;
};
static struct table table;

static int split(char *line, char **cell)
{
    int n = 0;
    for (char *at = line; at && n < COLUMNS; n++) {
        cell[n] = at;
        at = strchr(at, ',');
        if (at) *at++ = 0;
    }
    return n;
}

static int read_table(void **state)
{
    (void)state;
    FILE *file = fopen("tests/truth/h200.csv", "r");
    if (!file) return -1;
    size_t bytes = fread(table.text, 1, sizeof table.text - 1, file);
    fclose(file);
    table.text[bytes] = 0;
    char *save = NULL, *line = strtok_r(table.text, "\n", &save);
    table.columns = split(line, table.name);
    while ((line = strtok_r(NULL, "\n", &save)) && table.rows < ROWS_MAX) split(line, table.cell[table.rows++]);
    return table.rows > 60 ? 0 : -1;
}

static const char *cell(int row, const char *column)
{
    for (int c = 0; c < table.columns; c++) {
        if (strcmp(table.name[c], column) == 0) return table.cell[row][c] ? table.cell[row][c] : "";
    }
    fail_msg("no column '%s'", column);
    return "";
}

static uint64_t number(int row, const char *column)
{
    return strtoull(cell(row, column), NULL, 10);
}

// The busiest 512 bytes of a histogram's 1024, by the distribution of its input: uniform, skewed to two bins of the
// lower half, or one bin. Blocks that count in shared memory first add all their bins, unless they saw one only.
static uint64_t hot_sectors(int row)
{
    uint64_t all = number(row, "global_red_sectors");
    char dist = *cell(row, "dist");
    if (strcmp(cell(row, "kind"), "hist") != 0) return all;
    if (dist == 'c' && all == number(row, "global_red_requests") * 32) return all; // every lane on one word
    if (dist == 's' && all > number(row, "global_red_requests") * 8) return all * 7 / 8;
    return dist == 'c' && all < 10000 ? all : all / 2;
}

static struct counters counters_of(int row)
{
    struct counters c = {.warp_inst = number(row, "inst"),
                         .global_ld_requests = number(row, "global_ld_requests"),
                         .global_ld_sectors = number(row, "global_ld_sectors"),
                         .global_ld_l1_hit_sectors = number(row, "global_ld_l1_hit_sectors"),
                         .global_st_requests = number(row, "global_st_requests"),
                         .global_st_sectors = number(row, "global_st_sectors"),
                         .global_red_requests = number(row, "global_red_requests"),
                         .global_red_sectors = number(row, "global_red_sectors"),
                         .global_atomic_hot = hot_sectors(row),
                         .shared_ld_inst = number(row, "shared_ld_inst"),
                         .shared_atom_inst = number(row, "shared_atom_inst"),
                         .lsu_wavefronts = number(row, "lsu_wavefronts"),
                         .l2_ld_sectors = number(row, "l2_read_sectors"),
                         .l2_st_sectors = number(row, "l2_write_sectors"),
                         .dram_ld_bytes = number(row, "dram_read_bytes"),
                         .dram_st_bytes = number(row, "dram_write_bytes")};
    if (!c.lsu_wavefronts) { // not measured in the last rows
        c.lsu_wavefronts = c.global_ld_requests + 2 * c.global_st_requests + number(row, "shared_ld_wavefronts") +
                           number(row, "shared_st_wavefronts");
    }
    // A store of 32 floats fills 4 or 8 sectors; more than 16 means that each is written in part, a float in each.
    int in_part = c.global_st_sectors > 16 * c.global_st_requests;
    if (in_part) c.l2_st_lines = c.global_st_sectors;
    c.global_st_bytes = (in_part ? 4 : 32) * c.global_st_sectors;
    return c;
}

// What the resources of a row's launch need.
static void model_row(int row, struct observation *o)
{
    const struct device_profile *d = device_profile_find("h200");
    uint32_t threads = (uint32_t)(number(row, "bx") * number(row, "by"));
    struct engine_launch request = {.cold = 1};
    struct trace trace = {0};
    struct sim_launch launch = {.request = &request,
                                .device = d,
                                .blocks = number(row, "gx") * number(row, "gy"),
                                .threads = threads,
                                .warps = (threads + 31) / 32,
                                .blocks_per_sm = 1};
    struct counters c = counters_of(row);
    memset(o, 0, sizeof *o);
    timing_estimate(&(struct timing_input){.launch = &launch, .total = &c, .trace = &trace}, o);
}

static void no_resource_alone_takes_longer_than_the_card(void **state)
{
    (void)state;
    static struct observation o;
    int near = 0;
    for (int row = 0; row < table.rows; row++) {
        model_row(row, &o);
        double share = (double)o.resource_ps[o.bound] * 1e-6 / strtod(cell(row, "cold_us"), NULL);
        print_message("%-20s %4.2f, %s\n", cell(row, "kernel"), share, observation_resource_name[o.bound]);
        assert_true(share < 1.2);
        near += share > 0.5;
    }
    assert_true(near * 10 > table.rows * 7);
}

static int row_of(const char *kernel, const char *grid, const char *dist)
{
    for (int row = 0; row < table.rows; row++) {
        if (!strcmp(cell(row, "kernel"), kernel) && !strcmp(cell(row, "gx"), grid) &&
            !strcmp(cell(row, "dist"), dist)) {
            return row;
        }
    }
    fail_msg("no row '%s'", kernel);
    return 0;
}

static void the_bound_is_what_the_card_is_short_of(void **state)
{
    (void)state;
    static const struct {
        const char *kernel, *grid, *dist;
        enum resource bound;
    } rows[] = {
        {"l2_tile16", "64", "r", RESOURCE_LSU},       {"l7_tile32x8", "128", "r", RESOURCE_LSU},
        {"l4_global", "65536", "c", RESOURCE_ATOMIC}, {"l4_count_global", "4096", "u", RESOURCE_ATOMIC},
        {"l1_global_acc", "64", "r", RESOURCE_L2},    {"l7_naive", "128", "r", RESOURCE_L2},
    };
    static struct observation o;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        model_row(row_of(rows[i].kernel, rows[i].grid, rows[i].dist), &o);
        assert_string_equal(observation_resource_name[o.bound], observation_resource_name[rows[i].bound]);
    }
}

static uint64_t time_of(uint64_t blocks, uint32_t blocks_per_sm, struct counters c)
{
    static struct observation o;
    struct engine_launch request = {0};
    struct trace trace = {0};
    struct sim_launch launch = {.request = &request,
                                .device = device_profile_find(NULL),
                                .blocks = blocks,
                                .threads = 256,
                                .warps = 8,
                                .blocks_per_sm = blocks_per_sm};
    memset(&o, 0, sizeof o);
    timing_estimate(&(struct timing_input){.launch = &launch, .total = &c, .trace = &trace}, &o);
    return o.time_ps;
}

static void more_work_never_takes_less_time(void **state)
{
    (void)state;
    struct counters base = {.warp_inst = 1000000, .global_ld_requests = 10000, .global_ld_sectors = 40000};
    uint64_t start = time_of(1000, 8, base);
#define COUNTER(name, metric, meaning)                                                                                 \
    {                                                                                                                  \
        struct counters more = base;                                                                                   \
        more.name += 1000000000;                                                                                       \
        if (strcmp(#name, "global_atomic_hot_whole")) assert_true(time_of(1000, 8, more) >= start);                    \
    }
#include "engine/counter.def"
#undef COUNTER
    assert_true(time_of(2000, 8, base) >= start);
}

static void extremes_neither_overflow_nor_divide_by_zero(void **state)
{
    (void)state;
    struct counters most, none = {0};
    memset(&most, 0x3f, sizeof most);
    assert_true(time_of(1, 1, most) > time_of(1, 1, none));
    assert_true(time_of(UINT64_MAX >> 20, 0, most) > 0);
    assert_int_equal(time_of(0, 0, none), device_profile_find(NULL)->launch_ns * 1000);
}

// What DRAM is kept busy for by others' data that a launch finds in the L2, in picoseconds.
static uint64_t room_for(uint64_t loaded, uint64_t stored, uint64_t l2_loads, uint32_t cold, uint64_t *later)
{
    static struct observation o[2];
    for (int k = 0; k < 2; k++) {
        struct engine_launch request = {.cold = k ? cold : 2};
        struct trace trace = {0};
        struct counters c = {.dram_ld_bytes = loaded, .global_st_bytes = stored, .l2_ld_sectors = l2_loads};
        struct sim_launch launch = {
            .request = &request, .device = device_profile_find("h200"), .blocks = 1, .blocks_per_sm = 1};
        timing_estimate(&(struct timing_input){.launch = &launch, .total = &c, .trace = &trace}, &o[k]);
    }
    uint64_t launched = o[1].resource_ps[RESOURCE_LAUNCH] - o[0].resource_ps[RESOURCE_LAUNCH];
    *later = o[1].time_ps - o[0].time_ps - launched;
    return o[1].resource_ps[RESOURCE_DRAM] - o[0].resource_ps[RESOURCE_DRAM];
}

// A flush leaves 19.5 MB of an H200's 62.9 MB dirty; DRAM takes 4.26 TB/s.
static void a_cold_launch_makes_room_in_the_l2(void **state)
{
    (void)state;
    const uint64_t clean = 62914560 - 19500000, mb = 1000000;
    uint64_t later;
    assert_int_equal(room_for(clean, 0, 1, 1, &later), 0); // there is room
    assert_int_equal(later, 0);
    assert_int_equal(room_for(clean + 8 * mb, 0, 1, 1, &later), 8 * mb * 1000 / 4260);
    assert_int_equal(later, 8 * mb * 1000 / 4260); // and nothing goes on meanwhile
    assert_int_equal(room_for(clean + 500 * mb, 0, 1, 1, &later), 19500000ull * 1000 / 4260); // no more is dirty
    assert_int_equal(room_for(clean, 8 * mb, 1, 1, &later), 8 * mb * 1000 / 4260);
    assert_int_equal(room_for(0, 10 * mb, 1, 1, &later), 10 * mb * 1000 / 4260); // its own push them out as it goes
    assert_true(later < 10 * mb * 1000 / 4260 + 2);
    assert_int_equal(room_for(clean + 8 * mb, 0, 0, 1, &later), 0); // nothing waits for a store
    assert_int_equal(room_for(clean + 8 * mb, 0, 1, 2, &later), 0); // a launch behind another
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cold_launch_makes_room_in_the_l2),
        cmocka_unit_test(no_resource_alone_takes_longer_than_the_card),
        cmocka_unit_test(the_bound_is_what_the_card_is_short_of),
        cmocka_unit_test(more_work_never_takes_less_time),
        cmocka_unit_test(extremes_neither_overflow_nor_divide_by_zero),
    };
    return cmocka_run_group_tests(tests, read_table, NULL);
}
