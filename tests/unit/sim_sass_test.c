// The effects of ptxas that counters show: merged accesses, branches that become predicates, instructions that are
// split or removed. ptxas 13.0.88 (-arch=sm_90 -O3) compiled each row in this form. The expected loads and stores of
// shared memory are those of its SASS.
#include "sim_run.h"

// One warp. %s5 is a thread's own 16 bytes of the array s, %s6 its own word; %v0 a sum that is stored at the end.
#define HEAD                                                                                                           \
    ".reg .b32 %s<20>;\n.reg .f32 %v<20>;\n.reg .f64 %w<9>;\nmov.u32 %s1, s;\nshl.b32 %s2, %r1, 4;\n"                  \
    "add.s32 %s5, %s1, %s2;\nshl.b32 %s3, %r1, 2;\nadd.s32 %s6, %s1, %s3;\nmov.f32 %v0, 0f00000000;\n"
#define LD(n, place) "ld.shared.f32 %v" #n ", [" place "];\nadd.f32 %v0, %v0, %v" #n ";\n"
#define ST(place) "st.shared.f32 [" place "], %v0;\n"
#define FOUR(b) LD(1, b) LD(2, b "+4") LD(3, b "+8") LD(4, b "+12")
#define S_FIRST ".shared .align 4 .b8 s[1024];\n"
#define S_BEHIND(bytes) ".shared .align 4 .b8 q[" #bytes "];\n.shared .align 4 .b8 s[1024];\n"
#define USE_Q "st.shared.f32 [q], %v0;\n"
#define PROGRAM(variables, body) KERNEL("", variables HEAD body "st.global.f32 [%d3], %v0;\n")

struct row {
    const char *what, *kernel;
    uint64_t loads, stores;
};

static const struct counters *counters_of(const char *kernel)
{
    static struct run r;
    r = (struct run){.kernel = kernel, .block = 32};
    run_kernel(&r);
    if (r.observation.status != OBSERVED_OK)
        fail_msg("status %u: %s\n%s", r.observation.status, r.observation.message, kernel);
    return &r.observation.counters;
}

static void check_rows(const struct row *row, size_t rows)
{
    for (size_t i = 0; i < rows; i++) {
        const struct counters *c = counters_of(row[i].kernel);
        if (c->shared_ld_inst != row[i].loads || c->shared_st_inst != row[i].stores)
            fail_msg("%s: %d loads and %d stores, not %d and %d", row[i].what, (int)c->shared_ld_inst,
                     (int)c->shared_st_inst, (int)row[i].loads, (int)row[i].stores);
    }
}

static void neighbouring_accesses_merge(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"four words", PROGRAM(S_FIRST, FOUR("%s5")), 1, 0},
        {"two words", PROGRAM(S_FIRST, LD(1, "%s5") LD(2, "%s5+4")), 1, 0},
        {"three of four words", PROGRAM(S_FIRST, LD(1, "%s5") LD(2, "%s5+4") LD(3, "%s5+8")), 1, 0},
        {"three words with a gap", PROGRAM(S_FIRST, LD(1, "%s5") LD(2, "%s5+8") LD(3, "%s5+12")), 1, 0},
        {"the first and the last", PROGRAM(S_FIRST, LD(1, "%s5") LD(2, "%s5+12")), 2, 0},
        {"two that are no pair", PROGRAM(S_FIRST, LD(1, "%s5+4") LD(2, "%s5+8")), 2, 0},
        {"backwards", PROGRAM(S_FIRST, LD(1, "%s5+12") LD(2, "%s5+8") LD(3, "%s5+4") LD(4, "%s5")), 1, 0},
        {"six words", PROGRAM(S_FIRST, FOUR("%s5") LD(5, "%s5+16") LD(6, "%s5+20")), 2, 0},
        {"through another register",
         PROGRAM(S_FIRST, LD(1, "%s5") LD(2, "%s5+4") "add.s32 %s7, %s5, 8;\n" LD(3, "%s7") LD(4, "%s7+4")), 1, 0},
        {"at a constant address", PROGRAM(S_FIRST, FOUR("s")), 1, 0},
        {"multiples of 8", PROGRAM(S_FIRST, "mad.lo.s32 %s7, %r1, 24, %s1;\n" FOUR("%s7")), 2, 0},
        {"multiples of 4", PROGRAM(S_FIRST, FOUR("%s6")), 4, 0},
        {"a multiple of 16 by a mask", PROGRAM(S_FIRST, "and.b32 %s7, %s3, -16;\nadd.s32 %s7, %s7, %s1;\n" FOUR("%s7")),
         1, 0},
        {"behind 16 bytes", PROGRAM(S_BEHIND(16), FOUR("%s5") USE_Q), 1, 1},
        {"behind 8 bytes", PROGRAM(S_BEHIND(8), FOUR("%s5") USE_Q), 2, 1},
        {"behind 4 bytes", PROGRAM(S_BEHIND(4), FOUR("%s5") USE_Q), 4, 1},
        {"pairs of doubles", PROGRAM(S_FIRST, "ld.shared.f64 %w1, [%s5];\nld.shared.f64 %w2, [%s5+8];\n"), 1, 0},
        {"pairs of pairs",
         PROGRAM(S_FIRST, "ld.shared.v2.f32 {%v1, %v2}, [%s5];\nld.shared.v2.f32 {%v3, %v4}, [%s5+8];\n"), 1, 0},
        {"half-words", PROGRAM(S_FIRST, "ld.shared.u16 %s8, [%s5];\nld.shared.u16 %s9, [%s5+2];\n"), 2, 0},
        {"volatile", PROGRAM(S_FIRST, "ld.volatile.shared.f32 %v1, [%s5];\nld.volatile.shared.f32 %v2, [%s5+4];\n"), 2,
         0},
        {"a store in between",
         PROGRAM(S_FIRST, LD(1, "%s5") LD(2, "%s5+4") ST("%s5+64") LD(3, "%s5+8") LD(4, "%s5+12")), 2, 1},
        {"a store to another array",
         PROGRAM(S_BEHIND(1024), LD(1, "%s5") LD(2, "%s5+4") USE_Q LD(3, "%s5+8") LD(4, "%s5+12")), 2, 1},
        {"an atomic in between", PROGRAM(S_FIRST, LD(1, "%s5") "red.shared.add.u32 [%s5+64], 1;\n" LD(2, "%s5+4")), 2,
         0},
        {"a barrier in between",
         PROGRAM(S_FIRST, LD(1, "%s5") LD(2, "%s5+4") "bar.sync 0;\n" LD(3, "%s5+8") LD(4, "%s5+12")), 2, 0},
        {"a warp's barrier in between", PROGRAM(S_FIRST, LD(1, "%s5") "bar.warp.sync -1;\n" LD(2, "%s5+4")), 2, 0},
        {"a fence in between", PROGRAM(S_FIRST, LD(1, "%s5") "membar.cta;\n" LD(2, "%s5+4")), 2, 0},
        {"a global store in between", PROGRAM(S_FIRST, LD(1, "%s5") "st.global.f32 [%d3], %v1;\n" LD(2, "%s5+4")), 1,
         0},
        {"a shuffle in between",
         PROGRAM(S_FIRST, LD(1, "%s5") "shfl.sync.bfly.b32 %s8|%p2, %s5, 1, 31, -1;\n" LD(2, "%s5+4")), 1, 0},
        {"another value of the register",
         PROGRAM(S_FIRST, "mov.u32 %s7, %s5;\n" LD(1, "%s7") "add.s32 %s7, %s7, 16;\n" LD(2, "%s7+4")), 2, 0},
        {"the same word twice", PROGRAM(S_FIRST, LD(1, "%s6") LD(2, "%s6")), 1, 0},
        {"four stores", PROGRAM(S_FIRST, ST("%s5") ST("%s5+4") ST("%s5+8") ST("%s5+12")), 0, 1},
        {"three stores", PROGRAM(S_FIRST, ST("%s5") ST("%s5+4") ST("%s5+8")), 0, 2},
        {"stores around a load", PROGRAM(S_FIRST, ST("%s5") LD(1, "%s5+64") ST("%s5+4")), 1, 2},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

// A branch that all lanes of the warp take, around `body`; then a barrier and a load.
#define AROUND(body) "setp.lt.s32 %p1, %r1, 64;\n@%p1 bra OVER;\n" body "OVER:\nbar.sync 0;\n" LD(9, "%s6")
#define TWICE(x) x x
#define ADD "add.f32 %v1, %v1, %v2;\n"

static void short_branches_become_predicates(void **state)
{
    (void)state;
    static const struct row rows[] = {
        {"a store", PROGRAM(S_FIRST, AROUND(ST("%s6"))), 1, 1},
        {"eight instructions", PROGRAM(S_FIRST, AROUND(TWICE(TWICE(ADD)) TWICE(ADD) ADD ST("%s6"))), 1, 1},
        {"nine instructions", PROGRAM(S_FIRST, AROUND(TWICE(TWICE(TWICE(ADD))) ST("%s6"))), 1, 0},
        {"load, add, load, add, store", PROGRAM(S_FIRST, AROUND(LD(1, "%s6") LD(2, "%s6+128") ST("%s6"))), 3, 1},
        {"four of these",
         PROGRAM(S_FIRST, AROUND(LD(1, "%s6") LD(2, "%s6+128") LD(3, "%s6+256") LD(4, "%s6+384") ST("%s6"))), 1, 0},
        {"eight, and two that only make addresses",
         PROGRAM(S_FIRST, AROUND(TWICE(TWICE(ADD)) TWICE(ADD) "add.s32 %s7, %s6, -4;\nadd.s32 %s8, %s6, 4;\n"
                                                              "ld.shared.f32 %v3, [%s7];\n" ST("%s8"))),
         2, 1},
        {"a global load that is awaited", PROGRAM(S_FIRST, AROUND("ld.global.f32 %v0, [%d3];\n" ST("%s6"))), 1, 1},
        {"a copy in global memory",
         PROGRAM(S_FIRST, AROUND("ld.global.f32 %v0, [%d3];\nst.global.f32 [%d3], %v0;\n" ST("%s6"))), 1, 0},
        {"an atomic", PROGRAM(S_FIRST, AROUND("red.shared.add.u32 [%s6], 1;\n" ST("%s6"))), 1, 0},
        {"a warp's barrier", PROGRAM(S_FIRST, AROUND("bar.warp.sync -1;\n" ST("%s6"))), 1, 0},
        {"a shuffle", PROGRAM(S_FIRST, AROUND("shfl.sync.bfly.b32 %s8|%p2, %s5, 1, 31, -1;\n" ST("%s6"))), 1, 0},
        {"the kernel's end", KERNEL("", S_FIRST HEAD "setp.lt.s32 %p1, %r1, 64;\n@%p1 bra END;\n" ST("%s6") "END:\n"),
         0, 0},
    };
    check_rows(rows, sizeof rows / sizeof rows[0]);
}

static void what_is_switched_off_reaches_no_memory(void **state)
{
    (void)state;
    const struct counters *c = counters_of(PROGRAM(S_FIRST, AROUND(LD(1, "%s6") ST("%s6"))));
    assert_int_equal(c->shared_ld_inst, 2);
    assert_int_equal(c->shared_ld_wavefronts, 1); // of the load behind the barrier
    assert_int_equal(c->shared_st_inst, 1);
    assert_int_equal(c->shared_st_wavefronts, 0);
}

static void a_merged_load_costs_as_one(void **state)
{
    (void)state;
    const struct counters *own = counters_of(PROGRAM(S_FIRST, FOUR("%s5")));
    assert_int_equal(own->shared_ld_wavefronts, 4); // four quarter-warps, not four times four
    assert_int_equal(own->shared_ld_conflicts, 0);
    const struct counters *same = counters_of(PROGRAM(S_FIRST, FOUR("s")));
    assert_int_equal(same->shared_ld_wavefronts, 2);
}

// Instructions of a body, by the difference to the empty one.
static uint64_t instructions(const char *kernel)
{
    static uint64_t empty;
    if (!empty) empty = counters_of(PROGRAM(S_FIRST, ""))->warp_inst;
    return counters_of(kernel)->warp_inst - empty;
}

static void instructions_are_counted_as_sass(void **state)
{
    (void)state;
    assert_int_equal(instructions(PROGRAM(S_FIRST, ADD)), 1);
    assert_int_equal(instructions(PROGRAM(S_FIRST, "mov.u32 %s7, 5;\nadd.u32 %s8, %s7, %r1;\n")), 1);
    assert_int_equal(instructions(PROGRAM(S_FIRST, "add.s64 %d4, %d3, %d1;\n")), 2); // IADD3, IADD3.X
    assert_int_equal(instructions(PROGRAM(S_FIRST, "mul.wide.u32 %d4, %r1, 4;\nadd.s64 %d5, %d3, %d4;\n")),
                     1);                                                                                   // IMAD.WIDE
    assert_int_equal(instructions(PROGRAM(S_FIRST, "shl.b32 %s7, %r1, 2;\nadd.s32 %s8, %s7, %r2;\n")), 1); // LEA
    assert_int_equal(instructions(PROGRAM(S_FIRST, "ex2.approx.f32 %v1, %v0;\n")), 4); // compare, scale, MUFU, scale
    assert_int_equal(instructions(PROGRAM(S_FIRST, "ex2.approx.ftz.f32 %v1, %v0;\n")), 1);
    uint64_t one = instructions(PROGRAM(S_FIRST, LD(1, "%s5")));
    assert_int_equal(instructions(PROGRAM(S_FIRST, FOUR("%s5"))), one + 3); // the loads are one
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(neighbouring_accesses_merge),
        cmocka_unit_test(short_branches_become_predicates),
        cmocka_unit_test(what_is_switched_off_reaches_no_memory),
        cmocka_unit_test(a_merged_load_costs_as_one),
        cmocka_unit_test(instructions_are_counted_as_sass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
