// Loops that ptxas unrolls again. The number of requests must be that of the unrolled loop in the SASS of ptxas 13.0.88
// (-arch=sm_90 -O3). The values must be those of the original loop.
#include "sim_run.h"

// Thread t takes turns as `start` and `limit` have it; %r10 counts them. It loads a word each turn, adds it up with the
// counter, and stores sum and turns.
#define LOOP(pragma, start, limit, extra, step)                                                                        \
    KERNEL("",                                                                                                         \
           ".reg .b32 %s<20>;\n.reg .b64 %q<9>;\n.reg .f32 %v<60>;\nmov.u32 %r10, 0;\nmov.u32 %r11, 0;\n"              \
           "mov.f32 %v0, 0f00000000;\nmov.f32 %v1, %v0;\nsetp.lt.u32 %p3, %r1, 8;\nmov.u64 %d4, %d3;\n" start limit    \
           "L:\n" pragma "ld.global.u32 %r12, [%d4];\nadd.s32 %r13, %r12, %r10;\nadd.s32 %r11, %r11, %r13;\n" extra    \
           "add.s32 %r10, %r10, 1;\nadd.s64 %d4, %d4, 4;\n" step "@%p1 bra L;\n"                                       \
           "st.global.f32 [%d3+3072], %v0;\nst.global.u32 [%d3+1024], %r10;\nst.global.u32 [%d3+2048], %r11;\n")
#define AS_IT_IS ".pragma \"nounroll\";\n"

struct row {
    const char *what, *kernel, *as_it_is;
    int unrolled;
};
#define ROW(what, start, limit, extra, step, unrolled)                                                                 \
    {                                                                                                                  \
        what, LOOP("", start, limit, extra, step), LOOP(AS_IT_IS, start, limit, extra, step), unrolled                 \
    }

#define UP(type, cmp) "add.s32 %r6, %r6, 1;\nsetp." #cmp "." #type " %p1, %r6, %r5;\n"
#define FROM0 "mov.u32 %r6, %r2;\n" // a register: ptxas does not know that it is 0
#define TO(a, b) "selp.b32 %r5, " #a ", " #b ", %p3;\n"
#define ADD "add.f32 %v0, %v0, %v1;\n"
#define FIVE(a) a a a a a

static const struct row rows[] = {
    ROW("as long as one is below the other", FROM0, TO(8, 7), "", UP(s32, lt), 1),
    ROW("with as many left", FROM0, TO(6, 2), "", UP(s32, lt), 1),
    ROW("one turn", FROM0, TO(1, 1), "", UP(s32, lt), 1),
    ROW("many", FROM0, TO(31, 22), "", UP(s32, lt), 1),
    ROW("the first turn although the limit is passed", FROM0, TO(0, -5), "", UP(s32, lt), 1),
    ROW("up to it", FROM0, TO(8, 7), "", UP(s32, le), 1),
    ROW("without sign", FROM0, TO(9, 3), "", UP(u32, lt), 1),
    ROW("until they are equal", FROM0, TO(9, 3), "", UP(s32, ne), 1),
    ROW("the limit on the left", FROM0, TO(8, 7), "", "add.s32 %r6, %r6, 1;\nsetp.gt.s32 %p1, %r5, %r6;\n", 1),
    ROW("down to a constant", TO(15, 6) "mov.u32 %r6, %r5;\n", "", "",
        "add.s32 %r6, %r6, -1;\nsetp.ne.s32 %p1, %r6, 0;\n", 1),
    ROW("down, while above", TO(15, 6) "mov.u32 %r6, %r5;\n", "", "",
        "add.s32 %r6, %r6, -2;\nsetp.gt.s32 %p1, %r6, 1;\n", 1),
    ROW("down, while not below", TO(15, 6) "mov.u32 %r6, %r5;\n", "", "",
        "add.s32 %r6, %r6, -2;\nsetp.ge.s32 %p1, %r6, 1;\n", 1),
    ROW("a pointer that counts", "add.s64 %q1, %d3, 64;\nadd.s64 %q2, %d3, 28;\nselp.b64 %q3, %q1, %q2, %p3;\n", "", "",
        "setp.ne.s64 %p1, %d4, %q3;\n", 1),
    ROW("from far below to far above", "mov.u32 %r6, -1879048192;\nadd.s32 %r6, %r6, %r2;\n",
        TO(1879048192, 1610612736), "", "add.s32 %r6, %r6, 134217728;\nsetp.lt.s32 %p1, %r6, %r5;\n", 1),
    ROW("past the largest number", "mov.u32 %r6, 1879048192;\nadd.s32 %r6, %r6, %r2;\n", TO(2013265919, 2013265918), "",
        "add.s32 %r6, %r6, 134217728;\nsetp.lt.s32 %p1, %r6, %r5;\n", 1),
    ROW("a value of the turn is read behind the loop", FROM0, TO(8, 7),
        "mad.lo.s32 %r14, %r12, 3, %r10;\nmov.b32 %v1, %r14;\n", UP(s32, lt) "add.s32 %r11, %r11, %r14;\n", 1),
    ROW("turns with a predicate", FROM0, TO(8, 7), "setp.gt.s32 %p2, %r13, 3;\n@%p2 add.s32 %r11, %r11, 5;\n",
        UP(s32, lt), 1),
    ROW("as heavy as may be", FROM0, TO(8, 7), FIVE(FIVE(ADD)) FIVE(ADD) FIVE(ADD) ADD ADD ADD ADD ADD ADD, UP(s32, lt),
        1),
    ROW("too heavy", FROM0, TO(8, 7), FIVE(FIVE(ADD)) FIVE(ADD) FIVE(ADD) ADD ADD ADD ADD ADD ADD ADD, UP(s32, lt), 0),
    ROW("a step that is not constant", FROM0, TO(8, 7), "",
        "add.s32 %r6, %r6, %r3;\nsub.s32 %r6, %r6, 31;\nsetp.lt.s32 %p1, %r6, %r5;\n", 0),
    ROW("a comparison before the step", FROM0, TO(8, 7), "", "setp.lt.s32 %p1, %r6, %r5;\nadd.s32 %r6, %r6, 1;\n", 0),
    ROW("an atomic", FROM0, TO(8, 7), "red.global.add.u32 [%d1+4000], 1;\n", UP(s32, lt), 0),
    ROW("a known number of turns", "mov.u32 %r6, 0;\n", "", "", "add.s32 %r6, %r6, 1;\nsetp.ne.s32 %p1, %r6, 9;\n", 0),
};

static uint64_t expected(const uint32_t *turns, int unrolled)
{
    uint64_t most = 0, two = 0, one = 0;
    for (int t = 0; t < 32; t++) {
        if (turns[t] > most) most = turns[t];
        two |= turns[t] & 2;
        one |= turns[t] & 1;
    }
    return unrolled ? most / 4 * 4 + two + one : most;
}

static void requests_are_those_of_the_copies(void **state)
{
    (void)state;
    static struct run r, plain;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        r = (struct run){.kernel = rows[k].kernel};
        plain = (struct run){.kernel = rows[k].as_it_is};
        run_kernel(&r);
        run_kernel(&plain);
        if (r.observation.status != OBSERVED_OK) fail_msg("%s: %s", rows[k].what, r.observation.message);
        if (r.observation.nfindings) fail_msg("%s: there are findings", rows[k].what);
        if (memcmp(r.out, plain.out, sizeof r.out) != 0) fail_msg("%s: other values than without copies", rows[k].what);
        uint64_t n = expected(&r.out[256], rows[k].unrolled);
        if (r.observation.counters.global_ld_requests != n)
            fail_msg("%s: %d requests, not %d", rows[k].what, (int)r.observation.counters.global_ld_requests, (int)n);
        if (plain.observation.counters.global_ld_requests != expected(&r.out[256], 0))
            fail_msg("%s: the pragma changes nothing", rows[k].what);
    }
}

// The lines of a loop, and the ways of its branch, are those of the source.
static void coverage_knows_no_copies(void **state)
{
    (void)state;
    static struct run r, plain;
    r = (struct run){.kernel = LOOP(".loc 1 5 1\n", FROM0, TO(8, 7), "", UP(s32, lt))};
    plain = (struct run){.kernel = LOOP(".loc 1 5 1\n" AS_IT_IS, FROM0, TO(8, 7), "", UP(s32, lt))};
    run_kernel(&r);
    run_kernel(&plain);
    const struct coverage *a = &r.observation.coverage, *b = &plain.observation.coverage;
    assert_int_equal(a->nbranches, 1);
    assert_int_equal(b->nbranches, 1);
    assert_int_equal(a->branch[0].taken, 8 * 7 + 24 * 6);
    assert_int_equal(a->branch[0].fallen, 32);
    assert_memory_equal(a, b, sizeof *a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(requests_are_those_of_the_copies),
                                       cmocka_unit_test(coverage_knows_no_copies)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
