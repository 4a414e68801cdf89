// The record of a block's ops: which blocks have one, and which slices of the warps' lives it holds.
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

// The warps in the set `warps` execute the steps from `first` to `end`. A step is STEP ops in sequence, the first of
// them a load. Step number n begins at op n * STEP. If `barrier` is 1, a step's last op is a barrier for these warps.
static void run_steps(uint32_t first, uint32_t end, uint32_t warps, int barrier)
{
    for (uint32_t n = first; n < end; n++) {
        for (uint32_t w = 0; w < WARPS; w++) {
            struct trace_warp *warp = trace_of(&trace, 77, w);
            if (!(warps >> w & 1)) continue;
            uint32_t record = trace_load(warp, n * STEP, n);
            trace_run(warp, n * STEP, STEP);
            if (record && n % 2) trace_missed(warp, record);
        }
        if (barrier) trace_release(&trace.slot[3], warps);
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
    run_steps(0, 1, 3, 0);
    assert_true(trace_has_ops(&trace.slot[3]));
    assert_false(trace_has_ops(&trace.slot[0]));
}

static void a_short_warp_is_recorded_whole(void **state)
{
    (void)state;
    begin();
    run_steps(0, 100, 3, 0);
    const struct trace_warp *w = trace_of(&trace, 77, 1);
    assert_int_equal(w->kept, 100 * STEP);
    assert_int_equal(w->all, w->kept);
    assert_int_equal(w->loads, 100);
    for (uint32_t n = 0; n < 100; n++) {
        assert_int_equal(w->load[n].line, n);
        assert_int_equal(w->load[n].missed, n % 2);
    }
}

// Returns the number of recorded ops in each sixteenth of the life of warp `w`.
static void spread(uint32_t w, uint64_t part[16])
{
    const struct trace_warp *warp = trace_of(&trace, 77, w);
    memset(part, 0, 16 * sizeof *part);
    for (uint32_t k = 0; k < warp->count; k++) part[warp->run[k].op / (STEPS * STEP / 16)] += warp->run[k].length;
}

static void a_long_warp_is_recorded_in_slices_of_its_whole_life(void **state)
{
    (void)state;
    static uint64_t ran[STEPS * STEP];
    uint64_t counted = 0, part[16];
    begin();
    run_steps(0, STEPS, 3, 0);
    const struct trace_warp *w = trace_of(&trace, 77, 0);
    assert_int_equal(w->all, STEPS * STEP);
    assert_in_range(w->slices, TRACE_SLICES / 2 - 1, TRACE_SLICES);
    assert_in_range(w->kept, w->slot->limit / 3, w->slot->limit + STEP);
    spread(0, part);
    for (int pair = 0; pair < 8; pair++) assert_true(part[2 * pair] || part[2 * pair + 1]);
    for (uint32_t k = 0; k < w->loads; k++) assert_int_equal(w->load[k].missed, w->load[k].line % 2);
    assert_int_equal(w->loads * STEP, w->kept);
    trace_count(&trace.slot[3], ran);
    for (uint32_t k = 0; k < STEPS * STEP; k++) counted += ran[k];
    assert_in_range(counted, WARPS * STEPS * STEP * 9 / 10, WARPS * STEPS * STEP * 11 / 10);
}

static void the_key_moves_the_slices(void **state)
{
    (void)state;
    uint32_t first = 0, seen = 0;
    for (request.sample_key = 1; request.sample_key <= 20; request.sample_key++) {
        begin();
        run_steps(0, STEPS, 3, 0);
        uint32_t op = trace_of(&trace, 77, 0)->run[0].op;
        if (request.sample_key == 1) first = op;
        seen += op != first;
    }
    assert_true(seen > 10);
}

static void barriers_are_recorded_for_all_warps_or_for_none(void **state)
{
    (void)state;
    begin();
    run_steps(0, STEPS / 4, 3, 1);
    run_steps(STEPS / 4, STEPS * 3 / 4, 2, 0); // the other warp waits
    trace_release(&trace.slot[3], 3);
    run_steps(STEPS * 3 / 4, STEPS, 3, 1);
    const struct trace_warp *a = trace_of(&trace, 77, 0), *b = trace_of(&trace, 77, 1);
    uint32_t barriers[WARPS] = {0};
    for (uint32_t w = 0; w < WARPS; w++) {
        const struct trace_warp *warp = w ? b : a;
        for (uint32_t k = 0; k < warp->count; k++)
            for (uint32_t op = warp->run[k].op; op < warp->run[k].op + warp->run[k].length; op++) {
                uint32_t step = op / STEP;
                barriers[w] += op % STEP == STEP - 1 && (step < STEPS / 4 || step >= STEPS * 3 / 4);
            }
    }
    assert_int_equal(barriers[0], barriers[1]);
    assert_true(barriers[0] > 100);
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
        cmocka_unit_test_setup_teardown(a_long_warp_is_recorded_in_slices_of_its_whole_life, start, stop),
        cmocka_unit_test_setup_teardown(the_key_moves_the_slices, start, stop),
        cmocka_unit_test_setup_teardown(barriers_are_recorded_for_all_warps_or_for_none, start, stop),
        cmocka_unit_test_setup_teardown(the_key_chooses, start, stop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
