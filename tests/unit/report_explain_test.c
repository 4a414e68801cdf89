// What explain computes from a made-up observation: figures of lines, the worst access, maps and sentences.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "report/explain.h"
#include "report/report.h"
#include "report/utf8.h"

static const char *const source = "first\nload\nstore\r\n\nlast";
static struct profile profile;
static struct observation seen[2];

static struct counters *line(int kernel, uint32_t number, uint64_t cycles)
{
    struct line_counters *l = &seen[kernel].line[seen[kernel].nlines++];
    l->line = number;
    l->counters.warp_cycles = cycles;
    seen[kernel].counters.warp_cycles = 1000;
    return &l->counters;
}

static struct line_access *access_of(int kernel, uint32_t number, uint32_t space, uint32_t stride)
{
    struct line_access *a = &seen[kernel].access[seen[kernel].naccesses++];
    *a = (struct line_access){.line = number, .space = (uint8_t)space, .kind = ACCESS_READ, .bytes = 4, .mask = ~0u};
    a->buffer = space == SPACE_GLOBAL ? 1 : -1;
    a->origin = 1 << 20;
    for (uint32_t l = 0; l < 32; ++l) a->address[l] = a->origin + (uint64_t)l * stride;
    return a;
}

static int prepare(void **state)
{
    (void)state;
    memset(seen, 0, sizeof seen);
    profile = (struct profile){.nkernels = 2, .buffer = {NULL, "in"}};
    profile.kernel[0] = (struct profile_kernel){.name = "one", .time_ps = 3000000, .seen = &seen[0]};
    profile.kernel[1] = (struct profile_kernel){.name = "two", .time_ps = 1000000, .seen = &seen[1]};
    return 0;
}

static void figures_of_a_line(void **state)
{
    (void)state;
    struct explain e;
    struct counters *c = line(0, 2, 400);
    c->ptx_inst = 10, c->ptx_thread_inst = 160;
    c->global_ld_requests = 2, c->global_ld_sectors = 8;
    c->global_st_requests = 1, c->global_st_sectors = 32;
    line(1, 2, 800)->ptx_inst = 6;
    line(1, 900, 1)->ptx_inst = 1; // beyond the source
    explain_make(&e, &profile, source, strlen(source));
    assert_int_equal(e.nlines, 5);
    assert_int_equal(e.line[2].length, 5); // without the carriage return
    assert_int_equal(e.line[4].length, 4);
    assert_int_equal(e.line[0].counted, 0);
    assert_int_equal(e.line[1].counted, 1);
    assert_int_equal(e.line[1].instructions, 16);
    assert_true(e.line[1].lanes == 10);
    assert_true(e.line[1].sectors == 32); // the worse of loads and stores
    assert_true(e.line[1].wavefronts < 0);
    assert_int_equal(e.line[1].time_permille, 500); // (3 * 400 + 1 * 800) / 4
    explain_free(&e);
}

static void the_worst_access_is_the_dearest_of_all(void **state)
{
    (void)state;
    struct explain e;
    line(0, 2, 0)->global_ld_requests = 10;
    line(1, 3, 0)->shared_ld_inst = 100;
    access_of(0, 2, SPACE_GLOBAL, 128)->excess = 28;
    struct line_access *banks = access_of(1, 3, SPACE_SHARED, 8);
    banks->excess = 1;
    explain_make(&e, &profile, source, strlen(source));
    assert_ptr_equal(e.worst, &seen[0].access[0]); // 10 * 28 beats 100 * 1
    assert_ptr_equal(e.kernel, &profile.kernel[0]);
    assert_int_equal(e.requests, 10);
    explain_free(&e);
    banks->excess = 3;
    explain_make(&e, &profile, source, strlen(source));
    assert_ptr_equal(e.worst, banks);
    explain_free(&e);
    seen[0].access[0].excess = banks->excess = 0;
    explain_make(&e, &profile, source, strlen(source));
    assert_ptr_equal(e.worst, banks); // the busiest, where nothing is too much
    explain_free(&e);
}

static void maps(void **state)
{
    (void)state;
    struct explain_sector_map s;
    struct explain_bank_map b;
    struct line_access *a = access_of(0, 2, SPACE_GLOBAL, 8);
    explain_sector_map_make(&s, a);
    assert_int_equal(s.sectors, 8);
    assert_int_equal(s.fewest, 4);
    assert_int_equal(s.asked, 128);
    assert_int_equal(s.moved, 256);
    assert_int_equal(s.count, 2);
    assert_int_equal(s.line[0].address, a->origin);
    assert_int_equal(s.line[0].lanes[1], 0xf0);
    assert_int_equal(s.line[1].lanes[3], 0xf0000000);
    for (int i = 0; i < 16; ++i) { // the lines come by address, whatever the lanes' order
        uint64_t swap = a->address[i];
        a->address[i] = a->address[31 - i];
        a->address[31 - i] = swap;
    }
    explain_sector_map_make(&s, a);
    assert_int_equal(s.line[0].address, a->origin);
    assert_int_equal(s.line[0].lanes[0], 0xf0000000);
    explain_bank_map_make(&b, access_of(1, 3, SPACE_SHARED, 8));
    assert_int_equal(b.steps.count, 2);
    assert_int_equal(b.fewest, 1);
    assert_int_equal(b.steps.step[1].lanes[0], 1 << 16);
}

static void sentence_is(const struct line_access *a, const char *expected)
{
    struct text t = {0};
    explain_access(&profile, a, &t);
    assert_string_equal(t.data, expected);
    text_free(&t);
}

static void sentences(void **state)
{
    (void)state;
    struct line_access *a = access_of(0, 2, SPACE_GLOBAL, 8);
    sentence_is(a, "line 2: 32 lanes of a warp load from 'in' and touch 8 sectors, where 4 would hold their 128 bytes: "
                   "50 % of what is moved is used");
    a->mask = 1, a->kind = ACCESS_WRITE;
    sentence_is(a, "line 2: one lane alone of a warp stores to 'in' and touches 1 sector, the least there can be");
    a = access_of(1, 3, SPACE_SHARED, 8);
    sentence_is(a,
                "line 3: 32 lanes of a warp load from shared memory in 2 passes through the banks, where 1 would do");
    strcpy(a->symbol, "tile");
    a->kind = ACCESS_ATOMIC, a->mask = 0xff;
    sentence_is(a,
                "line 3: 8 lanes of a warp do atomics on 'tile' in 1 pass through the banks, the least there can be");
    seen[0].bound = RESOURCE_DRAM;
    seen[0].time_ps = 3000000, seen[0].resource_ps[RESOURCE_DRAM] = 2400000, seen[0].resource_ps[RESOURCE_L2] = 600000;
    struct text t = {0};
    explain_bound(&profile.kernel[0], &t);
    assert_string_equal(t.data, "'one' takes 3.00 µs, bound by memory bandwidth, which alone would take 80 % of that; "
                                "next is L2 bandwidth with 20 %");
    text_free(&t);
    explain_lanes(0x800000f5, &t);
    assert_string_equal(t.data, "0,2,4-7,31");
    text_free(&t);
}

// Two copies in and a kernel: the kernel runs beside the second copy for half of its time.
static void calls_have_the_figures_of_their_line(void **state)
{
    (void)state;
    static const char code[] = "prepare\ncopy\nlaunch\n";
    struct lab_span span[] = {
        {.engine = LAB_COPY_IN, .stream = 1, .line = 2, .start_ps = 0, .end_ps = 40, .bytes = 64},
        {.engine = LAB_COPY_IN, .stream = 2, .line = 2, .start_ps = 40, .end_ps = 80, .issue_ps = 10, .bytes = 64},
        {.engine = LAB_KERNEL, .stream = 1, .line = 3, .start_ps = 60, .end_ps = 100, .issue_ps = 20},
    };
    const struct lab_timeline t = {.span = span, .count = 3, .time_ps = 100};
    struct explain e;
    struct text out = {0};
    explain_make_calls(&e, &t, code, sizeof code - 1);
    assert_int_equal(e.nlines, 3);
    assert_false(e.line[0].counted);
    assert_int_equal(e.call[1].operations, 2);
    assert_int_equal(e.call[1].bytes, 128);
    assert_int_equal(e.call[1].time_ps, 80);
    assert_int_equal(e.call[1].alone_ps, 60);
    assert_int_equal(e.call[1].waited_ps, 30);
    assert_int_equal(e.call[2].time_ps, 40);
    assert_int_equal(e.call[2].alone_ps, 20);
    explain_overlap(&t, &out);
    assert_string_equal(out.data, "the timed part takes 0.00 µs; more than one engine is at work during 20 % of it");
    text_free(&out);
    explain_free(&e);
}

static void hostile_text_stays_text(void **state)
{
    (void)state;
    static const char evil[] = "int x; // \033[2J\xff\n";
    struct explain e;
    struct text t = {0};
    const struct report_options plain = {0};
    line(0, 1, 1000)->ptx_inst = 1;
    explain_make(&e, &profile, evil, sizeof evil - 1);
    explain_terminal(&e, "mine.cu", NULL, &plain, &t);
    assert_null(strchr(t.data, '\033'));
    for (size_t i = 0; i < t.length; ++i) assert_true((unsigned char)t.data[i] < 0x80);
    text_free(&t);
    explain_free(&e);
}

// Writes the explanation of one long line with a bad access, for a screen of some width.
static void check_width(uint32_t space, uint32_t stride, int columns)
{
    static const char *const whole = "\tif (x < C && y + j < R) tile[threadIdx.y + j][threadIdx.x] = "
                                     "in[(size_t)(y + j) * C + x]; // 아주 긴 줄, the index stands at the end";
    struct explain e;
    struct text t = {0}, joined = {0};
    struct report_options how = {.utf8 = 1, .columns = columns};
    memset(seen, 0, sizeof seen);
    line(0, 1, 400)->ptx_inst = 10;
    access_of(0, 1, space, stride);
    explain_make(&e, &profile, whole, strlen(whole));
    explain_terminal(&e, "a/folder/with/a/long/name/and/a/file/in/it/mine.cu", NULL, &how, &t);
    for (const char *at = t.data, *end; (end = strchr(at, '\n')); at = end + 1)
        if (utf8_width(at, (size_t)(end - at)) > (size_t)columns) fail_msg("%d: %.*s", columns, (int)(end - at), at);
    for (size_t i = 0; i < t.length; ++i)
        if (!strchr(" \n", t.data[i])) text_add(&joined, t.data + i, 1);
    text_puts(&joined, "");
    assert_non_null(strstr(joined.data, "tile[threadIdx.y+j][threadIdx.x]=in[(size_t)(y+j)*C+x];//아주긴줄,the"));
    text_free(&t);
    text_free(&joined);
    explain_free(&e);
}

static void nothing_is_wider_than_the_screen(void **state)
{
    (void)state;
    for (int columns = 64; columns <= 110; ++columns) {
        check_width(SPACE_SHARED, 128, columns);
        check_width(SPACE_GLOBAL, 128, columns);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, prepare)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(figures_of_a_line),
        TEST(the_worst_access_is_the_dearest_of_all),
        TEST(maps),
        TEST(sentences),
        TEST(hostile_text_stays_text),
        TEST(calls_have_the_figures_of_their_line),
        TEST(nothing_is_wider_than_the_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
