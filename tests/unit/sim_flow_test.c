// Divergence and reconvergence, calls, and progress of every divergent part of a warp.
#include "sim_run.h"

static struct run r;

static void lanes_meet_behind_a_branch(void **state)
{
    (void)state;
    // Both sides end in the same store: reconverged lanes execute it once.
    r = (struct run){.kernel = KERNEL("", "setp.lt.u32 %p1, %r1, 7;\n@%p1 bra A;\nmov.u32 %r5, 1;\nbra B;\n"
                                          "A: mov.u32 %r5, 2;\nB: activemask.b32 %r6;\nst.global.u32 [%d3], %r6;")};
    run_kernel(&r);
    for (int i = 0; i < 32; i++) assert_int_equal(r.out[i], 0xffffffff);
    assert_int_equal(r.observation.counters.divergent_branches, 1);
    assert_int_equal(r.observation.counters.global_st_requests, 1);
    assert_int_equal(r.observation.nfindings, 0);
}

static void lanes_meet_behind_a_loop(void **state)
{
    (void)state;
    // Each lane leaves the loop after as many rounds as its number says; long enough to use up quanta in between.
    r = (struct run){.kernel = KERNEL("", "mul.lo.u32 %r5, %r1, 1000;\nmov.u32 %r6, 0;\nL: setp.ge.u32 %p1, %r6, %r5;\n"
                                          "@%p1 bra E;\nadd.u32 %r6, %r6, 1;\nbra L;\nE: st.global.u32 [%d3], %r6;\n"
                                          "bar.sync 0;\n"),
                     .block = 64};
    run_kernel(&r);
    for (int i = 0; i < 64; i++) assert_int_equal(r.out[i], i * 1000);
    assert_int_equal(r.observation.nfindings, 0); // the barrier waits for lanes that a quantum parted
}

static void lanes_wait_for_each_other(void **state)
{
    (void)state;
    // Lane 0 spins until lane 1, which comes later in the text, has stored.
    r = (struct run){.kernel =
                         KERNEL("", "setp.eq.u32 %p1, %r1, 0;\n@!%p1 bra B;\nA: ld.volatile.global.u32 %r5, [%d1+4];\n"
                                    "setp.eq.u32 %p2, %r5, 0;\n@%p2 bra A;\nbra C;\nB: setp.ne.u32 %p3, %r1, 1;\n"
                                    "@%p3 bra C;\nmov.u32 %r6, 1;\nst.volatile.global.u32 [%d1+4], %r6;\n"
                                    "C: setp.eq.u32 %p4, %r1, 0;\n@!%p4 ret;\nst.global.u32 [%d1], %r5;")};
    run_kernel(&r);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_int_equal(r.out[0], 1);
}

#define FIB                                                                                                            \
    ".func (.param .b32 q) fib(.param .b32 n)\n{\n.reg .pred %p;\n.reg .b32 %r<9>;\nld.param.u32 %r1, [n];\n"          \
    "setp.lt.u32 %p, %r1, 2;\n@%p bra E;\nsub.u32 %r2, %r1, 1;\n{\n.param .b32 a;\nst.param.b32 [a], %r2;\n"           \
    ".param .b32 b;\ncall.uni (b), fib, (a);\nld.param.b32 %r3, [b];\n}\nsub.u32 %r2, %r1, 2;\n{\n.param .b32 a;\n"    \
    "st.param.b32 [a], %r2;\n.param .b32 b;\ncall.uni (b), fib, (a);\nld.param.b32 %r4, [b];\n}\n"                     \
    "add.u32 %r1, %r3, %r4;\nE: st.param.b32 [q], %r1;\nret;\n}\n"
#define CALL(name, from, to)                                                                                           \
    "{\n.param .b32 a;\nst.param.b32 [a], " from ";\n.param .b32 b;\ncall.uni (b), " name ", (a);\n"                   \
    "ld.param.b32 " to ", [b];\n}\n"

static void recursion(void **state)
{
    (void)state;
    static const uint32_t fib[10] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34};
    r = (struct run){.kernel =
                         KERNEL(FIB, "rem.u32 %r5, %r1, 10;\n" CALL("fib", "%r5", "%r6") "st.global.u32 [%d3], %r6;")};
    run_kernel(&r);
    for (int i = 0; i < 32; i++) assert_int_equal(r.out[i], fib[i % 10]);
    assert_int_equal(r.observation.nfindings, 0);
}

static void bottomless_recursion(void **state)
{
    (void)state;
    r = (struct run){
        .kernel = KERNEL(".func (.param .b32 q) f(.param .b32 n)\n{\n.reg .b32 %r<9>;\nld.param.u32 %r1, [n];\n" CALL(
                             "f", "%r1", "%r2") "st.param.b32 [q], %r2;\nret;\n}\n",
                         CALL("f", "%r1", "%r6"))};
    run_kernel(&r);
    assert_int_equal(r.observation.status, OBSERVED_FAULT);
    assert_int_equal(run_findings(&r, FINDING_bad_call), 1);
}

static void never_written_register(void **state)
{
    (void)state;
    // Lanes from 16 on store what nothing wrote; arithmetic on the way says nothing.
    r = (struct run){.kernel = KERNEL("", "setp.lt.u32 %p1, %r1, 16;\n@%p1 mov.u32 %r9, 3;\n.loc 1 9 1\n"
                                          "add.u32 %r10, %r9, 1;\n.loc 1 10 1\nst.global.u32 [%d3], %r10;")};
    run_kernel(&r);
    const struct finding *f = run_finding(&r, FINDING_never_written);
    assert_int_equal(f->space, SPACE_REGISTER);
    assert_int_equal(f->at.line, 10);
    assert_int_equal(f->at.thread[0], 16);
    assert_int_equal(r.out[15], 4);
}

static void branch_on_never_written(void **state)
{
    (void)state;
    r = (struct run){.kernel = KERNEL("", ".loc 1 5 1\nsetp.eq.u32 %p1, %r9, 0;\n.loc 1 6 1\n@%p1 bra A;\n"
                                          "st.global.u32 [%d3], %r1;\nA:")};
    run_kernel(&r);
    assert_int_equal(run_finding(&r, FINDING_never_written)->at.line, 6);
}

static void written_on_every_path(void **state)
{
    (void)state;
    r = (struct run){.kernel = KERNEL("", "setp.lt.u32 %p1, %r1, 16;\n@%p1 bra A;\nmov.u32 %r9, 3;\nbra B;\n"
                                          "A: mov.u32 %r9, 4;\nB: st.global.u32 [%d3], %r9;")};
    run_kernel(&r);
    assert_int_equal(r.observation.nfindings, 0);
    assert_int_equal(r.out[0], 4);
    assert_int_equal(r.out[31], 3);
}

static void trap_and_counts(void **state)
{
    (void)state;
    r = (struct run){.kernel = KERNEL("", "setp.ne.u32 %p1, %r1, 5;\n@%p1 bra A;\n.loc 1 3 1\ntrap;\nA:")};
    run_kernel(&r);
    assert_int_equal(r.observation.status, OBSERVED_FAULT);
    assert_int_equal(run_finding(&r, FINDING_trap)->at.line, 3);
    assert_int_equal(run_finding(&r, FINDING_trap)->at.thread[0], 5);
}

static void instruction_counts(void **state)
{
    (void)state;
    // 7 instructions of the head, a comparison, one guarded, ret.
    r = (struct run){.kernel = KERNEL("", "setp.lt.u32 %p1, %r1, 8;\n@%p1 add.u32 %r5, %r1, 1;"), .block = 32};
    run_kernel(&r);
    assert_int_equal(r.observation.counters.ptx_inst, 7 + 2 + 1);
    assert_int_equal(r.observation.counters.ptx_thread_inst, 32 * (7 + 1 + 1) + 8);
}

// Lanes pass a value on through shared memory and count on keeping step; with `sync` they wait. The accesses are
// relaxed: what is plain or volatile would be a race.
#define ROTATE(sync)                                                                                                   \
    KERNEL(".shared .u32 s[64];\n",                                                                                    \
           "mov.u32 %r5, s;\nmad.lo.u32 %r6, %r1, 4, %r5;\n"                                                           \
           "st.relaxed.cta.shared.u32 [%r6], %r1;\nst.relaxed.cta.shared.u32 [%r6+128], 0;\n"                          \
           "mov.u32 %r8, 0;\nbar.warp.sync 0xffffffff;\n"                                                              \
           "NEXT:\nld.relaxed.cta.shared.u32 %r7, [%r6+4];\n" sync "st.relaxed.cta.shared.u32 [%r6], %r7;\n" sync      \
           "add.u32 %r8, %r8, 1;\nsetp.lt.u32 %p1, %r8, 30;\n@%p1 bra NEXT;\n"                                         \
           "st.global.u32 [%d3], %r7;")

static int rotates(const char *kernel, uint64_t seed, uint32_t stray)
{
    r = (struct run){.kernel = kernel, .seed = seed, .stray = stray};
    run_kernel(&r);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    assert_int_equal(r.observation.nfindings, 0);
    return r.out[0] == 30 && r.out[1] == 31 && r.out[2] == 0;
}

static void lanes_that_stray(void **state)
{
    (void)state;
    int in_step = 0;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        assert_true(rotates(ROTATE(""), seed, 0));
        assert_true(rotates(ROTATE("bar.warp.sync 0xffffffff;\n"), seed, 1));
        in_step += rotates(ROTATE(""), seed, 1);
        uint32_t first[RUN_WORDS];
        memcpy(first, r.out, sizeof first);
        rotates(ROTATE(""), seed, 1);
        assert_memory_equal(first, r.out, sizeof first); // the same seed, the same steps
    }
    assert_true(in_step < 16);
}

// Aligned barriers and shuffles are met together, and code without order between lanes is right all the same.
static void strayed_lanes_meet(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 16; seed++) {
        r = (struct run){.kernel =
                             KERNEL(".func wait()\n{\nbar.sync 0;\nret;\n}\n",
                                    "mov.u32 %r5, %r1;\nmov.u32 %r6, 0;\n"
                                    "NEXT:\nshfl.sync.bfly.b32 %r7, %r5, 1, 31, 0xffffffff;\nadd.u32 %r5, %r5, %r7;\n"
                                    "add.u32 %r6, %r6, 1;\ncall wait, ();\nsetp.lt.u32 %p1, %r6, 12;\n@%p1 bra NEXT;\n"
                                    "st.global.u32 [%d3], %r5;"),
                         .block = 96,
                         .seed = seed,
                         .stray = 1};
        run_kernel(&r);
        assert_int_equal(r.observation.status, OBSERVED_OK);
        assert_int_equal(r.observation.nfindings, 0);
        for (uint32_t t = 0; t < 96; t++) assert_int_equal(r.out[t], ((t & ~1u) * 2 + 1) << 11);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lanes_meet_behind_a_branch),
                                       cmocka_unit_test(lanes_meet_behind_a_loop),
                                       cmocka_unit_test(lanes_wait_for_each_other),
                                       cmocka_unit_test(recursion),
                                       cmocka_unit_test(bottomless_recursion),
                                       cmocka_unit_test(never_written_register),
                                       cmocka_unit_test(branch_on_never_written),
                                       cmocka_unit_test(written_on_every_path),
                                       cmocka_unit_test(trap_and_counts),
                                       cmocka_unit_test(instruction_counts),
                                       cmocka_unit_test(lanes_that_stray),
                                       cmocka_unit_test(strayed_lanes_meet)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
