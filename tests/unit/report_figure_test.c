// Pictures: each contains its data, hostile names remain text, and a file needs no other file.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/profile.h"
#include "report/page/figure.h"

static struct profile profile;
static struct line_access access_;
static struct text out;

static int prepare(void **state)
{
    (void)state;
    profile = (struct profile){.buffer = {"in"}};
    access_ = (struct line_access){
        .line = 3, .space = SPACE_GLOBAL, .kind = ACCESS_READ, .bytes = 4, .mask = ~0u, .origin = 256};
    text_free(&out);
    return 0;
}

static void strided(uint32_t bytes)
{
    for (uint32_t l = 0; l < 32; ++l) access_.address[l] = access_.origin + (uint64_t)l * bytes;
}

static uint32_t count(const char *what)
{
    uint32_t n = 0;
    for (const char *at = out.data; (at = strstr(at, what)); at += strlen(what)) ++n;
    return n;
}

static void sectors_show_every_lane_and_every_waste(void **state)
{
    (void)state;
    static const struct figure f = {"a", 0};
    strided(4);
    figure_sectors(&f, &profile, &access_, &out);
    assert_int_equal(count("<title>lane "), 32);
    assert_int_equal(count("class=\"frame\""), 4);
    assert_non_null(strstr(out.data, "<title>lane 31: in[31]</title>"));
    text_free(&out);
    strided(128);
    figure_sectors(&f, &profile, &access_, &out);
    assert_int_equal(count("class=\"frame\""), 32);
    assert_non_null(strstr(out.data, "<title>lane 31: in[992]</title>"));
    assert_non_null(strstr(out.data, "touch 32 sectors"));
}

static void banks_show_every_pass(void **state)
{
    (void)state;
    static const struct figure f = {"a", 0};
    access_.space = SPACE_SHARED;
    strcpy(access_.symbol, "tile");
    access_.buffer = -1;
    strided(8);
    figure_banks(&f, &profile, &access_, &out);
    assert_int_equal(count(">pass "), 2);
    assert_int_equal(count("<title>lane "), 32);
    text_free(&out);
    strided(0);
    figure_access(&f, &profile, &access_, &out);
    assert_int_equal(count(">pass "), 1);
    assert_non_null(strstr(out.data, "<title>lanes 0-31: tile[0]</title>"));
    assert_non_null(strstr(out.data, ">32×<"));
}

static void a_name_is_no_markup(void **state)
{
    (void)state;
    static const struct figure f = {"a", 0};
    profile.buffer[0] = "<script>&\"x";
    strided(4);
    figure_sectors(&f, &profile, &access_, &out);
    assert_null(strstr(out.data, "<script"));
    assert_non_null(strstr(out.data, "&lt;script&gt;&amp;"));
}

static void a_file_has_its_colours(void **state)
{
    (void)state;
    static const struct figure inside = {"a", 0}, alone = {"a", 1};
    strided(4);
    figure_sectors(&inside, &profile, &access_, &out);
    assert_null(strstr(out.data, "<style>"));
    text_free(&out);
    figure_sectors(&alone, &profile, &access_, &out);
    assert_int_equal(strncmp(out.data, "<?xml", 5), 0);
    assert_non_null(strstr(out.data, "prefers-color-scheme: dark"));
}

static void occupancy_names_its_limit(void **state)
{
    (void)state;
    static const struct figure f = {"a", 0};
    static struct observation seen = {.registers = 128, .shared_bytes = 1024};
    const struct profile_kernel k = {.name = "k", .block = {256, 1, 1}, .seen = &seen};
    figure_occupancy(&f, device_profile_find("h200"), &k, &out);
    assert_non_null(strstr(out.data, "2 blocks: the limit"));
    assert_non_null(strstr(out.data, "16 of 64 warps: occupancy 25 %"));
}

static void a_launch_shows_its_groups_and_the_device_its_memories(void **state)
{
    (void)state;
    static const struct figure f = {"a", 0};
    struct profile_kernel k = {.name = "k", .grid = {40960, 1, 1}, .block = {16, 16, 1}};
    figure_launch(&f, device_profile_find("h200"), &k, &out);
    assert_non_null(strstr(out.data, "blocks: 40,960;"));
    assert_non_null(strstr(out.data, "threads: 256, in warps: 8;"));
    assert_int_equal(count("class=\"q0\""), 15 + 3); // as many blocks, and three memories that all blocks see
    assert_int_equal(count("class=\"q1\""), 8 + 1);
    assert_int_equal(count("class=\"q2\""), 32 + 1);
    assert_non_null(strstr(out.data, "one of 132 multiprocessors"));
    assert_non_null(strstr(out.data, "60 MB, 280 cycles away"));
    assert_non_null(strstr(out.data, "up to 227 KB a block, 29 cycles"));
    text_free(&out);
    k = (struct profile_kernel){
        .name = "k", .grid = {2, 1, 1}, .block = {20, 1, 1}}; // GK110: global loads pass by its L1
    figure_launch(&f, device_profile_find("gk110"), &k, &out);
    assert_int_equal(count("class=\"q0\""), 2 + 2);
    assert_int_equal(count("class=\"q1\""), 1 + 1);
    assert_int_equal(count("class=\"q2\""), 20 + 1);
    assert_non_null(strstr(out.data, "1536 KB, "));
    assert_null(strstr(out.data, "…"));
}

static void a_timeline_has_a_row_an_engine_and_a_bar_an_operation(void **state)
{
    (void)state;
    static const struct figure f = {"a", 0};
    static struct lab_span span[] = {
        {.engine = LAB_COPY_IN, .stream = 1, .start_ps = 0, .end_ps = 5000000, .bytes = 64, .line = 7},
        {.engine = LAB_KERNEL, .stream = 1, .start_ps = 5000000, .end_ps = 6000000},
        {.engine = LAB_COPY_IN, .stream = 2, .start_ps = 5000000, .end_ps = 10000000},
        {.engine = LAB_KERNEL, .device = 1, .start_ps = 9000000, .end_ps = 10000000},
    };
    const struct lab_timeline t = {.span = span, .count = 4, .time_ps = 10000000};
    figure_timeline(&f, &t, &out);
    assert_int_equal(count("</title></rect>"), 4);
    assert_int_equal(count("class=\"room\""), 3);
    assert_non_null(strstr(out.data, "copy to the device, stream 1: 0.0 to 5.0 µs, line 7"));
    assert_non_null(strstr(out.data, ">1: kernel<"));
    assert_non_null(strstr(out.data, "4 operations in 10.0 µs on 2 devices"));
    assert_non_null(strstr(out.data, "x=\"460.0\"")); // 5 of 10 µs: the middle
}

static void history_has_a_point_for_each_attempt(void **state)
{
    (void)state;
    static const struct figure f = {"a", 0};
    static const struct figure_attempt attempt[] = {{5, 0}, {45, 0}, {100, 1}};
    figure_history(&f, attempt, 3, &out);
    assert_int_equal(count("<circle"), 3);
    assert_non_null(strstr(out.data, "attempt 3: 100 points"));
    text_free(&out);
    figure_history(&f, attempt, 1, &out);
    assert_int_equal(count("<circle"), 1);
}

#define TEST(name) cmocka_unit_test_setup(name, prepare)
// The place of a circle on the roofline of "textbook", whose axes the test knows.
static void has_circle(int x, int y)
{
    char circle[48];
    snprintf(circle, sizeof circle, "<circle cx=\"%d\" cy=\"%d\"", x, y);
    if (!strstr(out.data, circle)) fail_msg("no %s in %s", circle, out.data);
}

static void a_roofline_has_its_points_where_the_counters_say(void **state)
{
    (void)state;
    static const struct figure f = {"a", 0};
    // the peak is 10 * 50 * 2 * 1 GHz = 1000 GFLOP/s, and the ridge at 10 operations a byte
    struct device_profile d = {
        .title = "device", .sms = 10, .lanes_fp32 = 50, .lanes_fp64 = 5, .clock_khz = 1000000, .dram_read_gbs = 100};
    struct counters c = {.flop = 2000000, .fp32_inst = 9, .dram_ld_bytes = 1500000, .dram_st_bytes = 500000};
    struct figure_point point[3], none;
    assert_int_equal(figure_point_make(&point[0], &d, "one", &c, 20000000), 1); // 2 MFLOP, 2 MB, 20 us
    assert_true(point[0].intensity == 1 && point[0].gflops == 100 && point[0].roof == 100 && !point[0].doubles);
    c.dram_ld_bytes = c.dram_st_bytes = 0;
    c.fp64_inst = 10;
    assert_int_equal(figure_point_make(&point[1], &d, "<two>", &c, 200000000), 1); // doubles, in the caches
    assert_true(point[1].gflops == 10 && point[1].roof == 100 && point[1].doubles);
    point[2] = (struct figure_point){.name = "three", .intensity = 10, .gflops = 1000, .roof = 1000};
    c.flop = 0;
    assert_int_equal(figure_point_make(&none, &d, "integers", &c, 1000), 0);
    c.flop = 1;
    assert_int_equal(figure_point_make(&none, &d, "no time", &c, 0), 0);
    figure_roofline(&f, &d, point, 3, &out);
    assert_int_equal(count("<circle"), 3);
    // x from 1 to 100 on 84 to 624, y from 1 to 1000 on 340 to 20
    has_circle(84, 127);
    has_circle(624, 233); // at the right edge: no bytes
    has_circle(354, 20);  // on the ridge
    assert_non_null(strstr(out.data, "<path class=\"line\" d=\"M84 127L354 20\"/>"));
    assert_non_null(strstr(out.data, "<path class=\"line dashed\" d=\"M84 127H624\"/>"));
    assert_non_null(strstr(out.data, "&lt;two&gt;: 10.0 GFLOP/s"));
    assert_null(strstr(out.data, "<two>"));
}

static void names_of_points_do_not_cover_each_other(void **state)
{
    (void)state;
    static const struct figure f = {"a", 0};
    const struct device_profile *d = device_profile_find("h200");
    struct figure_point point[40];
    for (int i = 0; i < 40; ++i)
        point[i] = (struct figure_point){.name = "a kernel with a very long name", .intensity = 1, .gflops = 100};
    figure_roofline(&f, d, point, 40, &out);
    assert_int_equal(count("<circle"), 40);
    assert_in_range(count("a kernel with a very long …</text>"), 5, 24);
    for (const char *at = out.data; (at = strstr(at, "<text ")); ++at) {
        char place[64];
        snprintf(place, sizeof place, "%.*s", (int)strcspn(at, ">"), at);
        assert_int_equal(count(place), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(sectors_show_every_lane_and_every_waste),
        TEST(banks_show_every_pass),
        TEST(a_name_is_no_markup),
        TEST(a_file_has_its_colours),
        TEST(occupancy_names_its_limit),
        TEST(a_launch_shows_its_groups_and_the_device_its_memories),
        TEST(a_timeline_has_a_row_an_engine_and_a_bar_an_operation),
        TEST(a_roofline_has_its_points_where_the_counters_say),
        TEST(names_of_points_do_not_cover_each_other),
        TEST(history_has_a_point_for_each_attempt),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
