// The record of a block's ops: which blocks have one, and what it holds of a warp's life.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "sim/timing/trace.h"

enum { WARPS = 2, STEPS = 1 << 14, STEP = 16 };

static struct engine_launch request;
static struct sim_launch launch;
static struct trace trace;

static int start(void **state)
{
    (void)state;
    request = (struct engine_launch){.sample_key = 1};
    launch = (struct sim_launch){.request = &request, .warps = WARPS, .blocks_per_sm = 32};
    return 0;
}

static int stop(void **state)
{
    (void)state;
    trace_free(&trace);
    return 0;
}

static void begin(void)
{
    uint64_t block[TRACE_SLOTS];
    for (int k = 0; k < TRACE_SLOTS; k++) block[k] = TRACE_NO_BLOCK;
    block[3] = 77;
    trace_begin(&trace, &launch, block);
}

// Each warp executes `steps` times STEP ops in sequence, the first of them a load. Step number n begins at op n * STEP.
static void run(uint32_t steps)
{
    for (uint32_t n = 0; n < steps; n++)
        for (uint32_t w = 0; w < WARPS; w++) {
            struct trace_warp *warp = trace_of(&trace, 77, w);
            uint32_t record = trace_load(warp, n * STEP, n);
            trace_run(warp, n * STEP, STEP);
            if (record && n % 2) trace_missed(warp, record);
        }
}

static void chosen_blocks_are_recorded(void **state)
{
    (void)state;
    assert_null(trace_of(&trace, 77, 0));
    begin();
    assert_non_null(trace_of(&trace, 77, 1));
    assert_null(trace_of(&trace, 76, 0));
    assert_false(trace_has_ops(&trace.slot[3]));
    run(1);
    assert_true(trace_has_ops(&trace.slot[3]));
    assert_false(trace_has_ops(&trace.slot[0]));
}

static void a_short_warp_is_recorded_whole(void **state)
{
    (void)state;
    begin();
    run(100);
    const struct trace_warp *w = trace_of(&trace, 77, 1);
    assert_int_equal(w->kept, 100 * STEP);
    assert_int_equal(w->all, w->kept);
    assert_int_equal(w->loads, 100);
    for (uint32_t n = 0; n < 100; n++) {
        assert_int_equal(w->load[n].line, n);
        assert_int_equal(w->load[n].missed, n % 2);
    }
}

static void a_long_warp_is_counted_whole(void **state)
{
    (void)state;
    static uint64_t ran[STEPS * STEP];
    uint64_t counted = 0;
    begin();
    run(STEPS);
    const struct trace_warp *w = trace_of(&trace, 77, 0);
    assert_int_equal(w->all, STEPS * STEP);
    assert_in_range(w->kept, w->limit, w->limit + STEP);
    memset(ran, 0, sizeof ran);
    trace_count(&trace.slot[3], ran);
    for (uint32_t k = 0; k < STEPS * STEP; k++) counted += ran[k];
    assert_in_range(counted, WARPS * STEPS * STEP * 9 / 10, WARPS * STEPS * STEP * 11 / 10);
}

static void the_key_chooses(void **state)
{
    (void)state;
    uint64_t first = trace_choose(&launch, "recorded", 0, 1000), other = 0;
    assert_int_equal(trace_choose(&launch, "recorded", 0, 1000), first);
    for (request.sample_key = 2; request.sample_key < 10; request.sample_key++)
        other += trace_choose(&launch, "recorded", 0, 1000) != first;
    assert_true(other > 6);
    uint32_t seen = 0;
    for (uint64_t at = 0; at < 400; at++) {
        uint64_t n = trace_choose(&launch, "sampled", at, 7);
        assert_in_range(n, 0, 6);
        seen |= 1u << n;
    }
    assert_int_equal(seen, 127);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(chosen_blocks_are_recorded, start, stop),
        cmocka_unit_test_setup_teardown(a_short_warp_is_recorded_whole, start, stop),
        cmocka_unit_test_setup_teardown(a_long_warp_is_counted_whole, start, stop),
        cmocka_unit_test_setup_teardown(the_key_chooses, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
