// The record of a block's ops: a window that may lie anywhere in the warps' lives, and that a key chooses.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/engine.h"
#include "sim/timing/trace.h"

enum { WARPS = 2, STEPS = 1 << 14, STEP = 16, PARTS = 4, KEYS = 60 };

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
    run(200);
    const struct trace_record *r = &trace_of(&trace, 77, 1)->kept;
    assert_int_equal(r->kept, 200 * STEP);
    assert_int_equal(r->loads, 200);
    for (uint32_t n = 0; n < 200; n++) {
        assert_int_equal(r->load[n].line, n);
        assert_int_equal(r->load[n].missed, n % 2);
    }
}

// Returns the part of the warps' lives, out of PARTS, in which the record of warp `k` begins, and checks the record.
static uint64_t part_of(uint32_t k)
{
    const struct trace_warp *w = trace_of(&trace, 77, k);
    const struct trace_record *r = &w->kept;
    uint64_t runs = 0;
    assert_int_equal(w->all, (uint64_t)STEPS * STEP);
    assert_in_range(r->kept, w->slot->limit / 2, w->slot->limit * 2 + STEP);
    for (uint32_t n = 0; n < r->count; n++) runs += r->run[n].length;
    assert_int_equal(runs, r->kept);
    for (uint32_t l = 0; l < r->loads; l++) { // loads lie where their ops do
        assert_int_equal(r->load[l].op, r->load[l].line * STEP);
        assert_in_range(r->load[l].op, r->run[0].op, r->run[r->count - 1].op + r->run[r->count - 1].length - 1);
        assert_int_equal(r->load[l].missed, r->load[l].line % 2);
    }
    return (uint64_t)r->run[0].op * PARTS / (STEPS * STEP);
}

static void windows_lie_anywhere(void **state)
{
    (void)state;
    static uint64_t ran[STEPS * STEP];
    uint32_t part[PARTS] = {0};
    for (request.sample_key = 1; request.sample_key <= KEYS; request.sample_key++) {
        begin();
        run(STEPS);
        for (uint32_t k = 0; k < WARPS; k++) part[part_of(k)]++;
    }
    for (int k = 0; k < PARTS; k++) assert_in_range(part[k], KEYS * WARPS / PARTS / 3, KEYS * WARPS / PARTS * 3);
    uint64_t counted = 0;
    memset(ran, 0, sizeof ran);
    trace_count(&trace.slot[3], ran);
    for (uint32_t k = 0; k < STEPS * STEP; k++) counted += ran[k];
    assert_in_range(counted, (uint64_t)WARPS * STEPS * STEP * 3 / 4, (uint64_t)WARPS * STEPS * STEP * 5 / 4);
}

// The warps of a block with barriers have the same window, although one of them does most of the work.
static void a_barrier_begins_a_window_for_all(void **state)
{
    (void)state;
    for (request.sample_key = 1; request.sample_key <= KEYS; request.sample_key++) {
        begin();
        for (uint32_t phase = 0; phase < 100; phase++) {
            for (int n = 0; n < 64; n++) trace_run(trace_of(&trace, 77, 0), phase, 16);
            trace_run(trace_of(&trace, 77, 1), phase, 16);
            trace_release(&trace.slot[3]);
        }
        const struct trace_record *busy = &trace_of(&trace, 77, 0)->kept, *idle = &trace_of(&trace, 77, 1)->kept;
        assert_int_equal(busy->run[0].op, idle->run[0].op);
        assert_int_equal(busy->run[busy->count - 1].op, idle->run[idle->count - 1].op);
    }
}

static void the_key_chooses(void **state)
{
    (void)state;
    uint32_t first, other = 0;
    begin();
    run(STEPS / 4);
    first = trace_of(&trace, 77, 0)->kept.run[0].op;
    begin();
    run(STEPS / 4);
    assert_int_equal(first, trace_of(&trace, 77, 0)->kept.run[0].op); // the same key
    for (request.sample_key = 2; request.sample_key < 10; request.sample_key++) {
        begin();
        run(STEPS / 4);
        other += first != trace_of(&trace, 77, 0)->kept.run[0].op;
    }
    assert_true(other > 4);
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
        cmocka_unit_test_setup_teardown(windows_lie_anywhere, start, stop),
        cmocka_unit_test_setup_teardown(a_barrier_begins_a_window_for_all, start, stop),
        cmocka_unit_test_setup_teardown(the_key_chooses, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
