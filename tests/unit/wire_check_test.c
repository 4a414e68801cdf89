// Messages of a hostile runner: each field out of its range is refused, and valid fields are accepted.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/prng.h"
#include "wire/wire.h"

static struct observation o;
static struct engine_image image;
static char why[OBSERVATION_MESSAGE];
static const struct engine_launch launch = {.kernel = "k", .grid = {4, 2, 1}, .block = {32, 8, 1}};

static int prepare(void **state)
{
    (void)state;
    memset(&o, 0, sizeof o);
    o.blocks = o.blocks_run = 8;
    o.time_ps = 123456;
    o.nlines = 2;
    o.line[0].line = 12;
    o.nfindings = 2;
    o.finding[0] = (struct finding){.kind = FINDING_race_raw,
                                    .space = SPACE_SHARED,
                                    .second = 1,
                                    .at = {.line = 5, .access = ACCESS_READ, .block = {3, 1, 0}, .thread = {31, 7, 0}},
                                    .other = {.line = 4, .access = ACCESS_WRITE},
                                    .buffer = -1,
                                    .size = 4,
                                    .extent = 1024,
                                    .count = 3,
                                    .symbol = "As"};
    o.finding[1].buffer = 2;
    memset(&image, 0, sizeof image);
    image.nkernels = 1;
    image.kernel[0] = (struct engine_kernel){.name = "scale", .params = 3, .registers = 20};
    return 0;
}

static int check(void)
{
    struct observation copy = o;
    return wire_check_observation(&copy, &launch, why);
}

static void honest_passes(void **state)
{
    (void)state;
    assert_int_equal(check(), 0);
    o.status = OBSERVED_BAD_LAUNCH;
    o.blocks = o.blocks_run = 0;
    assert_int_equal(check(), 0);
}

#define REFUSED(field, value)                                                                                          \
    do {                                                                                                               \
        prepare(NULL);                                                                                                 \
        field = value;                                                                                                 \
        if (!check()) fail_msg("%s = %s passes", #field, #value);                                                      \
        assert_true(why[0] != 0);                                                                                      \
    } while (0)

static void enumerations(void **state)
{
    (void)state;
    REFUSED(o.status, OBSERVED_STATUSES);
    REFUSED(o.status, UINT32_MAX);
    REFUSED(o.bound, RESOURCES);
    REFUSED(o.occupancy_limit, OCCUPANCY_LIMITS);
    REFUSED(o.line[1].file, FINDING_FILES);
    REFUSED(o.finding[0].kind, FINDING_KINDS);
    REFUSED(o.finding[0].kind, UINT16_MAX);
    REFUSED(o.finding[1].space, SPACES);
    REFUSED(o.finding[0].second, 2);
    REFUSED(o.finding[0].unoptimised, 2);
    REFUSED(o.finding[0].at.file, FINDING_FILES);
    REFUSED(o.finding[0].other.file, FINDING_FILES);
    REFUSED(o.finding[0].at.access, ACCESS_KINDS);
    REFUSED(o.finding[1].buffer, ENGINE_BUFFERS);
    REFUSED(o.finding[1].buffer, -2);
}

static void counts_within_their_arrays(void **state)
{
    (void)state;
    REFUSED(o.nlines, OBSERVATION_LINES + 1);
    REFUSED(o.nfindings, OBSERVATION_FINDINGS + 1);
    REFUSED(o.nfindings, UINT32_MAX);
    REFUSED(o.print_bytes, OBSERVATION_PRINT + 1);
    REFUSED(o.print_dropped, 2);
    REFUSED(o.blocks, 9);
    REFUSED(o.blocks, 7);
    REFUSED(o.blocks_run, 9);
    REFUSED(o.finding[0].at.block[0], 4);
    REFUSED(o.finding[0].at.thread[1], 8);
    REFUSED(o.finding[0].other.thread[2], 1);
}

static void numbers_that_no_launch_has(void **state)
{
    (void)state;
    REFUSED(o.time_ps, UINT64_MAX);
    REFUSED(o.resource_ps[RESOURCE_DRAM], UINT64_MAX);
    REFUSED(o.registers, UINT32_MAX);
    REFUSED(o.shared_bytes, UINT32_MAX);
    REFUSED(o.local_bytes, UINT32_MAX);
    REFUSED(o.blocks_per_sm, 100000);
    REFUSED(o.occupancy_permille, 1001);
    REFUSED(o.linked, 2);
    REFUSED(o.counters.warp_inst, UINT64_MAX);
    REFUSED(o.counters.dram_st_bytes, UINT64_MAX);
    REFUSED(o.line[1].counters.flop, UINT64_MAX);
    REFUSED(o.line[0].line, UINT32_MAX);
    REFUSED(o.finding[0].at.line, UINT32_MAX);
    REFUSED(o.finding[0].extent, UINT64_MAX);
    REFUSED(o.finding[0].count, UINT64_MAX);
    REFUSED(o.finding[0].size, UINT32_MAX);
    REFUSED(o.findings_dropped, UINT64_MAX);
    REFUSED(o.refusal.kind, REFUSALS);
    REFUSED(o.finding[0].waits, FINDING_WAITS + 1);
}

static void coverage_within_its_arrays(void **state)
{
    (void)state;
    struct coverage *c = &o.coverage;
    c->nlines = c->nbranches = c->nfunctions = 1;
    c->line[0] = (struct coverage_line){.line = 7, .threads = 32};
    c->branch[0] = (struct coverage_branch){.line = 7, .taken = 1, .fallen = 31};
    strcpy(c->function[0].name, "scale");
    assert_int_equal(wire_check_observation(&o, &launch, why), 0);
    c->nlines = COVERAGE_LINES + 1;
    assert_int_equal(wire_check_observation(&o, &launch, why), -1);
    c->nlines = 1;
    c->nbranches = COVERAGE_BRANCHES + 1;
    assert_int_equal(wire_check_observation(&o, &launch, why), -1);
    c->nbranches = 1;
    c->nfunctions = COVERAGE_FUNCTIONS + 1;
    assert_int_equal(wire_check_observation(&o, &launch, why), -1);
    c->nfunctions = 1;
    c->line[0].threads = UINT64_MAX;
    assert_int_equal(wire_check_observation(&o, &launch, why), -1);
    c->line[0].threads = 0;
    c->branch[0].index = COVERAGE_BRANCHES + 1;
    assert_int_equal(wire_check_observation(&o, &launch, why), -1);
    c->branch[0].index = 0;
    strcpy(c->function[0].name, "a\nDA:1,1"); // would be a line of a tracefile
    assert_int_equal(wire_check_observation(&o, &launch, why), -1);
    memset(c->function[0].name, 'a', sizeof c->function[0].name);
    assert_int_equal(wire_check_observation(&o, &launch, why), -1);
}

static void an_access_is_one_of_a_warp(void **state)
{
    (void)state;
    const struct line_access good = {
        .space = SPACE_SHARED, .bytes = 4, .mask = 1, .line = 7, .warp = 31, .block = {3, 1, 0}, .buffer = -1};
    struct line_access *a = &o.access[0];
    *a = good;
    o.naccesses = 1;
    assert_int_equal(check(), 0);
#define ACCESS_REFUSED(field, value) *a = good, a->field = (value), assert_int_equal(check(), -1)
    ACCESS_REFUSED(space, SPACE_LOCAL);
    ACCESS_REFUSED(bytes, 0);
    ACCESS_REFUSED(bytes, 17);
    ACCESS_REFUSED(mask, 0);
    ACCESS_REFUSED(kind, ACCESS_KINDS);
    ACCESS_REFUSED(file, FINDING_FILES);
    ACCESS_REFUSED(line, UINT32_MAX);
    ACCESS_REFUSED(warp, 32);
    ACCESS_REFUSED(buffer, ENGINE_BUFFERS);
    ACCESS_REFUSED(block[0], 4);
    ACCESS_REFUSED(excess, 65);
    *a = good;
    memset(a->symbol, 'x', sizeof a->symbol);
    assert_int_equal(check(), -1);
    *a = good;
    o.naccesses = OBSERVATION_ACCESSES + 1;
    assert_int_equal(check(), -1);
}

static void strings_end(void **state)
{
    (void)state;
    memset(o.message, 'x', sizeof o.message);
    assert_int_equal(check(), -1);
    prepare(NULL);
    memset(o.finding[0].symbol, 'x', sizeof o.finding[0].symbol);
    assert_int_equal(check(), -1);
    prepare(NULL);
    memset(o.finding[1].text, 'x', sizeof o.finding[1].text);
    assert_int_equal(check(), -1);
}

static void terminals_are_safe(void **state)
{
    (void)state;
    snprintf(o.message, sizeof o.message,
             "a\033]0;owned\007b\xc2\x9b"
             "31m\xe2\x80\xae µ \xff");
    memcpy(o.print, "line\n\033[2Jend", 12);
    o.print_bytes = 12;
    assert_int_equal(wire_check_observation(&o, &launch, why), 0);
    assert_null(strchr(o.message, '\033'));
    assert_null(strchr(o.message, '\007'));
    assert_null(strstr(o.message, "\xc2\x9b"));
    assert_null(strstr(o.message, "\xe2\x80\xae"));
    assert_null(strchr(o.message, '\xff'));
    assert_non_null(strstr(o.message, "µ"));
    assert_memory_equal(o.print, "line\n?[2Jend", 12);
}

static void images(void **state)
{
    (void)state;
    assert_int_equal(wire_check_image(&image, why), 0);
    image.nkernels = ENGINE_KERNELS + 1;
    assert_int_equal(wire_check_image(&image, why), -1);
    prepare(NULL);
    memset(image.kernel[0].name, 'x', ENGINE_NAME);
    assert_int_equal(wire_check_image(&image, why), -1);
    strcpy(image.kernel[0].name, "a\033b");
    assert_int_equal(wire_check_image(&image, why), -1);
    image.kernel[0].name[0] = '\0';
    assert_int_equal(wire_check_image(&image, why), -1);
    prepare(NULL);
    image.kernel[0].registers = UINT32_MAX;
    assert_int_equal(wire_check_image(&image, why), -1);
}

static void devices(void **state)
{
    (void)state;
    struct wire_device d = {.engine = "sim", .name = "h200", .title = "NVIDIA H200", .sms = 132};
    assert_int_equal(wire_check_device(&d, why), 0);
    d.sms = 0;
    assert_int_equal(wire_check_device(&d, why), -1);
    d.sms = UINT32_MAX;
    assert_int_equal(wire_check_device(&d, why), -1);
    d.sms = 1;
    memset(d.title, 'x', sizeof d.title);
    assert_int_equal(wire_check_device(&d, why), -1);
}

// Whatever the bytes are, the check ends and what it lets through can be indexed with.
static void noise(void **state)
{
    (void)state;
    struct prng r = prng_stream(1, "noise");
    for (int round = 0; round < 300; ++round) {
        prepare(NULL);
        for (int hit = 0; hit < 3; ++hit) ((unsigned char *)&o)[prng_below(&r, sizeof o)] = (unsigned char)prng_u32(&r);
        if (wire_check_observation(&o, &launch, why)) continue;
        assert_true(o.status < OBSERVED_STATUSES && o.nfindings <= OBSERVATION_FINDINGS);
        for (uint32_t i = 0; i < o.nfindings; ++i) assert_true(o.finding[i].kind < FINDING_KINDS);
    }
}

#define TEST(name) cmocka_unit_test_setup(name, prepare)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(honest_passes),
        TEST(enumerations),
        TEST(counts_within_their_arrays),
        TEST(numbers_that_no_launch_has),
        TEST(coverage_within_its_arrays),
        TEST(an_access_is_one_of_a_warp),
        TEST(strings_end),
        TEST(terminals_are_safe),
        TEST(images),
        TEST(devices),
        TEST(noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
