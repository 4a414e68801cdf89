// Who waits for whom takes time: blocks behind one lock, warps in a row, threads that poll a flag, and lanes that add
// floats at one place of shared memory are timed one after the other; what threads do side by side, such as drawing
// numbers from one counter or meeting at barriers, is not.
#include "sim/timing/waits.h"
#include "sim_run.h"

static struct run r;

static double times_latency(const char *kernel, uint32_t grid, uint32_t block)
{
    r = (struct run){.kernel = kernel, .grid = grid, .block = block};
    run_kernel(&r);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    const uint64_t *ps = r.observation.resource_ps;
    assert_true(ps[RESOURCE_LATENCY] > 0);
    assert_true(r.observation.time_ps >= ps[RESOURCE_WAITS]);
    return (double)ps[RESOURCE_WAITS] / (double)ps[RESOURCE_LATENCY];
}

// Some hundred ops between `before` and `after`.
#define WORK(before, after)                                                                                            \
    KERNEL("", ".shared .b64 s[34];\n" before "\nmov.u32 %r9, 0;\nW: add.u32 %r10, %r9, %r10;\nadd.u32 %r9, %r9, 1;\n" \
               "setp.lt.u32 %p3, %r9, 64;\n@%p3 bra W;\nadd.u32 %r10, %r10, 1;\n" after)

#define TAKE "L: atom.global.cas.b32 %r5, [%d1], 0, 1;\nsetp.ne.u32 %p1, %r5, 0;\n@%p1 bra L;\nmembar.gl;\n"
#define GIVE "membar.gl;\natom.global.exch.b32 %r5, [%d1], 0;\n"
#define ONE(op) "setp.ne.u32 %p2, %r1, 0;\n@%p2 bra N;\n" op "N: bar.sync 0;\n"

static void a_lock_lets_one_block_in(void **state)
{
    (void)state;
    const char *kernel = WORK(ONE(TAKE), "bar.sync 0;\n@%p2 bra E;\n" GIVE "E:");
    double few = times_latency(kernel, 32, 64), many = times_latency(kernel, 64, 64);
    assert_true(few > 16);
    assert_true(many > 1.8 * few && many < 2.2 * few);
    assert_int_equal(r.observation.bound, RESOURCE_WAITS);
}

static void each_block_waits_for_the_one_before(void **state)
{
    (void)state;
    assert_true(times_latency(WORK("L: ld.volatile.global.u32 %r5, [%d1];\nsetp.ne.u32 %p1, %r5, %r2;\n@%p1 bra L;\n"
                                   "membar.gl;",
                                   "add.u32 %r5, %r2, 1;\nmembar.gl;\nst.volatile.global.u32 [%d1], %r5;"),
                              64, 32) > 16);
}

// Every other block waits for the one before it: 264 blocks of 1024 threads are resident, and four go one after the
// other at each place.
static void each_generation_waits_again(void **state)
{
    (void)state;
    double ratio =
        times_latency(WORK("and.b32 %r6, %r2, 1;\nshr.u32 %r7, %r2, 1;\nmul.wide.u32 %d4, %r7, 4;\n"
                           "add.u64 %d4, %d1, %d4;\nsetp.eq.u32 %p2, %r6, 0;\n@%p2 bra B;\n"
                           "L: ld.volatile.global.u32 %r5, [%d4];\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra L;\nB:",
                           "@!%p2 bra E;\nbar.sync 0;\nst.volatile.global.u32 [%d4], 1;\nE:"),
                      1056, 1024);
    assert_true(ratio > 1.3 && ratio < 2.5);
}

static void blocks_draw_numbers_side_by_side(void **state)
{
    (void)state;
    assert_true(times_latency(WORK("atom.global.add.u32 %r5, [%d1], 1;", ""), 64, 32) == 0);
    uint64_t once = r.observation.time_ps;
    // A queue of 64 pieces of work for each of the 64 blocks: they share it.
    double ratio = times_latency(
        WORK("Q: atom.global.add.u32 %r5, [%d1], 1;\nsetp.ge.u32 %p1, %r5, 4096;\n@%p1 bra E;", "bra Q;\nE:"), 64, 1);
    assert_true(ratio == 0);
    assert_true(r.observation.time_ps < 100 * once);
}

// Blocks that race for a word run in turns, each to its end in its first turn. They do not wait for one another.
static void racing_blocks_do_not_wait(void **state)
{
    (void)state;
    const char *race = KERNEL("", "ld.global.u32 %r5, [%d1];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%d1], %r5;");
    times_latency(race, 4, 32);
    uint64_t few = r.observation.time_ps;
    assert_true(times_latency(race, 256, 32) == 0);
    assert_true(r.observation.time_ps < 2 * few);
}

// A warp waits 43,500 cycles for printf, and the device serves one warp after the other: 3,500 cycles, and 440 a lane.
static void warps_take_turns_in_printf(void **state)
{
    (void)state;
    const char *kernel = KERNEL(
        ".extern .func (.param .b32 q) vprintf(.param .b64 a, .param .b64 b);\n"
        ".global .align 1 .b8 text[2] = {46, 0};\n",
        "mov.u64 %d4, text;\ncvta.global.u64 %d4, %d4;\n{\n.param .b64 x;\nst.param.b64 [x], %d4;\n.param .b64 y;\n"
        "st.param.b64 [y], 0;\n.param .b32 z;\ncall.uni (z), vprintf, (x, y);\n}");
    const uint64_t cycle = 505; // of 1.98 GHz, in ps
    times_latency(kernel, 1, 1);
    assert_true(r.observation.resource_ps[RESOURCE_LATENCY] > 43500 * cycle);
    times_latency(kernel, 64, 32);
    uint64_t turns = 64 * (3500 + 32 * 440) * cycle, waits = r.observation.resource_ps[RESOURCE_WAITS];
    assert_true(waits > turns / 100 * 99 && waits < turns / 100 * 101);
}

// The machine adds floats in shared memory by a loop of compare-and-swaps: 95 cycles for each lane with the same
// address.
static void lanes_take_turns_in_a_float_atomic(void **state)
{
    (void)state;
#define ADD(type, address)                                                                                             \
    KERNEL("", ".shared .b32 s[32];\nmov.u64 %d4, s;\nmul.wide.u32 %d5, %r1, " address ";\nadd.u64 %d4, %d4, %d5;\n"   \
               "mov.u32 %r9, 0;\nW: atom.shared.add." type " %r10, [%d4], %r1;\nadd.u32 %r9, %r9, 1;\n"                \
               "setp.lt.u32 %p3, %r9, 64;\n@%p3 bra W;\nst.global.u32 [%d1], %r10;")
    times_latency(ADD("u32", "4"), 1, 32);
    uint64_t words = r.observation.time_ps;
    times_latency(ADD("f32", "4"), 1, 32);
    uint64_t apart = r.observation.time_ps - words;
    times_latency(ADD("f32", "0"), 1, 32);
    uint64_t together = r.observation.time_ps - words;
    const uint64_t cycle = 505, turns = 64 * 95 * cycle; // of 1.98 GHz, in ps
    assert_true(apart > turns / 10 * 9 && apart < turns / 10 * 11);
    assert_true(together > 32 * turns / 10 * 9 && together < 32 * turns / 10 * 11);
}

static void warps_in_a_row(void **state)
{
    (void)state;
    const char *named = WORK("shr.u32 %r6, %r1, 5;\nsetp.eq.u32 %p1, %r6, 0;\n@%p1 bra B;\nbar.sync %r6, 64;\nB:",
                             "add.u32 %r6, %r6, 1;\nsetp.eq.u32 %p1, %r6, 8;\n@%p1 bra E;\nbar.arrive %r6, 64;\nE:");
    double ratio = times_latency(named, 1, 256);
    assert_true(ratio > 6 && ratio < 9);
    const char *flag = WORK("shr.u32 %r6, %r1, 5;\nmov.u32 %r7, s;\nst.shared.u32 [%r7], 0;\nbar.sync 0;\n"
                            "L: ld.volatile.shared.u32 %r5, [%r7];\nsetp.ne.u32 %p1, %r5, %r6;\n@%p1 bra L;",
                            "bar.warp.sync -1;\nadd.u32 %r6, %r6, 1;\nst.volatile.shared.u32 [%r7], %r6;");
    ratio = times_latency(flag, 1, 256);
    assert_true(ratio > 4 && ratio < 9);
}

// Warps of unequal length meet at an mbarrier again and again. A phase waits for its own arrivals alone.
static void an_mbarrier_waits_for_its_phase(void **state)
{
    (void)state;
    const char *kernel =
        KERNEL("", ".shared .b64 s[2];\nmov.u32 %r7, s;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra I;\n"
                   "mbarrier.init.shared.b64 [%r7], 256;\nI: bar.sync 0;\nmov.u32 %r8, 0;\n"
                   "P: mov.u32 %r9, 0;\nW: add.u32 %r10, %r9, %r10;\nadd.u32 %r9, %r9, 1;\nsetp.lt.u32 %p3, %r9, 64;\n"
                   "@%p3 bra W;\nmbarrier.arrive.shared.b64 %d4, [%r7];\n"
                   "T: mbarrier.test_wait.shared.b64 %p2, [%r7], %d4;\n@!%p2 bra T;\nadd.u32 %r8, %r8, 1;\n"
                   "setp.lt.u32 %p3, %r8, 16;\n@%p3 bra P;");
    assert_true(times_latency(kernel, 1, 256) < 1.3);
}

// A barrier of the whole block joins the chains of its warps, whichever works.
static void a_barrier_joins_chains(void **state)
{
    (void)state;
    struct sim_warp first = {.executed = 10, .run = UINT32_MAX}, second = {.executed = 4, .run = 100};
    struct sim_path last = waits_path(&first, UINT32_MAX);
    waits_longer(&last, waits_path(&second, 102));
    waits_until(&second, 102, last);
    second.executed += 3;
    first.executed += 1;
    waits_longer(&last, waits_path(&first, UINT32_MAX));
    waits_longer(&last, waits_path(&second, 100));
    assert_int_equal(last.alone, 11);
    assert_int_equal(waits_path(&second, 102).waiting, 13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lock_lets_one_block_in),           cmocka_unit_test(each_block_waits_for_the_one_before),
        cmocka_unit_test(each_generation_waits_again),        cmocka_unit_test(blocks_draw_numbers_side_by_side),
        cmocka_unit_test(racing_blocks_do_not_wait),          cmocka_unit_test(warps_in_a_row),
        cmocka_unit_test(lanes_take_turns_in_a_float_atomic), cmocka_unit_test(warps_take_turns_in_printf),
        cmocka_unit_test(an_mbarrier_waits_for_its_phase),    cmocka_unit_test(a_barrier_joins_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
