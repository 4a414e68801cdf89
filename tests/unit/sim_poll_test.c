// Lanes that poll sleep until what they read changes: they use no budget, wake in time, and are a deadlock if nobody is
// left to wake them. Loops that only look like polling run on.
#include "sim_run.h"

static struct run r;

static void launch(const char *kernel, uint32_t grid, uint32_t block, uint64_t budget)
{
    r = (struct run){.kernel = kernel, .grid = grid, .block = block, .budget = budget};
    run_kernel(&r);
}

static int says(const struct finding *f, const char *part)
{
    return strstr(f->text, part) != NULL;
}

// Each block waits for its turn, and the last block has the first: all blocks must be resident at once, more of them
// than the grid keeps results of while it runs blocks in parallel.
static void the_last_block_goes_first(void **state)
{
    (void)state;
    launch(KERNEL("", "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra E;\nmov.u32 %r5, %nctaid.x;\nsub.u32 %r5, %r5, 1;\n"
                      "sub.u32 %r5, %r5, %r2;\nL: ld.volatile.global.u32 %r6, [%d1];\nsetp.ne.u32 %p2, %r6, %r5;\n"
                      "@%p2 bra L;\nadd.u32 %r6, %r6, 1;\nst.volatile.global.u32 [%d1], %r6;\nE:"),
           1100, 32, 0);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_int_equal(r.out[0], 1100);
}

#define WAITS_FOR_ALL(goal)                                                                                            \
    KERNEL("", "atom.global.add.u32 %r5, [%d1], 1;\nL: .loc 1 33 1\natom.global.or.b32 %r5, [%d1], 0;\n"               \
               "setp.lt.u32 %p1, %r5, " goal ";\n@%p1 bra L;")

static void who_waits_uses_no_budget(void **state)
{
    (void)state;
    launch(WAITS_FOR_ALL("32"), 1, 32, 0);
    uint64_t alone = r.observation.counters.warp_inst;
    launch(WAITS_FOR_ALL("32000"), 1000, 32, 0);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_true(r.observation.counters.warp_inst < 1000 * (alone + 60));
}

static void nobody_comes(void **state)
{
    (void)state;
    launch(WAITS_FOR_ALL("257"), 8, 32, 0);
    const struct finding *f = run_finding(&r, FINDING_deadlock);
    assert_int_equal(f->at.line, 33);
    assert_int_equal(f->waits, 1);
    assert_int_equal(f->wait[0].line, 33);
    assert_int_equal(f->wait[0].high, 31);
    assert_true(says(f, "no thread that can still go on"));
    assert_true(r.observation.counters.warp_inst < 2000);
}

// 32 blocks of a warp fit a multiprocessor of the 132.
static void blocks_that_cannot_begin(void **state)
{
    (void)state;
    launch(WAITS_FOR_ALL("135168"), 4224, 32, 0);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    launch(WAITS_FOR_ALL("135200"), 4225, 32, 0);
    assert_true(says(run_finding(&r, FINDING_deadlock), "cannot begin"));
}

// A thread of the block polls shared memory, and the rest of its warp waits at the barrier.
static void a_flag_in_shared_memory(void **state)
{
    (void)state;
    launch(KERNEL("", ".shared .align 4 .u32 flag[1];\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra A;\n"
                      "st.volatile.shared.u32 [flag], 0;\nA: bar.sync 0;\nsetp.eq.u32 %p1, %r1, 40;\n@%p1 bra W;\n"
                      "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra B;\nmov.u32 %r5, 0;\nC: add.u32 %r5, %r5, 1;\n"
                      "setp.lt.u32 %p2, %r5, 200000;\n@%p2 bra C;\nst.volatile.shared.u32 [flag], 1;\nbra B;\n"
                      "W: ld.volatile.shared.u32 %r6, [flag];\nsetp.eq.u32 %p2, %r6, 0;\n@%p2 bra W;\n"
                      "B: bar.sync 0;\nld.volatile.shared.u32 %r6, [flag];\nst.global.u32 [%d3], %r6;"),
           2, 64, 0);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_int_equal(r.observation.nfindings, 0);
    for (int i = 0; i < 128; i++) assert_int_equal(r.out[i], 1);
    assert_true(r.observation.counters.warp_inst < 2 * 601000);
}

// Lanes wait in front of a barrier for a lane of their warp that nobody wakes.
static void who_waits_at_the_barrier_is_told(void **state)
{
    (void)state;
    launch(KERNEL("", "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra B;\nL: .loc 1 33 1\nld.volatile.global.u32 %r6, [%d1];\n"
                      "setp.eq.u32 %p2, %r6, 0;\n@%p2 bra L;\nB: .loc 1 44 1\nbar.sync 0;"),
           1, 64, 0);
    const struct finding *f = run_finding(&r, FINDING_deadlock);
    assert_int_equal(f->at.line, 33);
    assert_int_equal(f->waits, 3);
    int barrier = 0;
    for (uint32_t i = 0; i < f->waits; i++) barrier += f->wait[i].line == 44;
    assert_int_equal(barrier, 2);
    assert_int_equal(run_findings(&r, FINDING_barrier_divergent), 0);
}

static void a_loop_that_repeats_never_ends(void **state)
{
    (void)state;
    launch(KERNEL("", "L: .loc 1 33 1\nadd.u32 %r5, %r1, 1;\nbra L;"), 4, 32, 0);
    const struct finding *f = run_finding(&r, FINDING_too_long);
    assert_int_equal(f->at.line, 33);
    assert_true(says(f, "repeats itself"));
    assert_true(r.observation.counters.warp_inst < 400000);
}

// A loop that counts, that reads the clock, or that changes memory is no loop that repeats.
static void what_changes_runs_on(void **state)
{
    (void)state;
    static const char *const body[] = {
        KERNEL("",
               "L: ld.volatile.global.u32 %r5, [%d1];\nadd.u32 %r6, %r6, 1;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra L;"),
        KERNEL("",
               "L: ld.volatile.global.u32 %r5, [%d1];\nmov.u32 %r6, %clock;\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra L;"),
        KERNEL("", "L: atom.global.exch.b32 %r5, [%d1], 1;\natom.global.exch.b32 %r5, [%d1], 0;\nbra L;"),
        KERNEL("", "L: atom.global.add.u32 %r5, [%d1], 1;\nsetp.ne.u32 %p1, %r5, 100000;\n@%p1 bra L;"),
    };
    for (size_t i = 0; i < sizeof body / sizeof *body; i++) {
        launch(body[i], 2, 32, 200000);
        const struct finding *f = run_finding(&r, FINDING_too_long);
        assert_int_equal(f->value, 200000);
        assert_int_equal(run_findings(&r, FINDING_deadlock), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_last_block_goes_first),
                                       cmocka_unit_test(who_waits_uses_no_budget),
                                       cmocka_unit_test(nobody_comes),
                                       cmocka_unit_test(blocks_that_cannot_begin),
                                       cmocka_unit_test(a_flag_in_shared_memory),
                                       cmocka_unit_test(who_waits_at_the_barrier_is_told),
                                       cmocka_unit_test(a_loop_that_repeats_never_ends),
                                       cmocka_unit_test(what_changes_runs_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
