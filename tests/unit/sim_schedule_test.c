// The order of a block's instructions, measured by the time of a cold launch. Loads that precede the first use of any
// of their results are waited for together. The orders are those of ptxas 13.0.88 (-arch=sm_90 -O3) for code of this
// form.
#include "sim_run.h"

// Every word is of a line of its own, and none was loaded before.
#define GUARD(n) "setp.lt.u32 %g" #n ", %r1, 40" #n ";\n"
#define GUARDS GUARD(0) GUARD(1) GUARD(2) GUARD(3) GUARD(4) GUARD(5) GUARD(6) GUARD(7)
#define LOAD(n) "ld.global.f32 %v" #n ", [%d1+0x" #n "00];\n"
#define UNDER(guard, n, body) "@!%g" #guard " bra L" #n ";\n" body "L" #n ":\n"
#define SUM(guard, n) UNDER(guard, n, LOAD(n) "add.f32 %v9, %v9, %v" #n ";\n")
#define SIX SUM(0, 0) SUM(1, 1) SUM(2, 2) SUM(3, 3) SUM(4, 4) SUM(5, 5)
#define PROGRAM(body)                                                                                                  \
    KERNEL("", ".reg .pred %g<9>;\n.reg .f32 %v<10>;\nmov.f32 %v9, 0f00000000;\n" GUARDS body                          \
               "bar.sync 0;\nst.global.f32 [%d1+4000], %v9;\n")

// In picoseconds. A block of one warp.
static uint64_t time_of(const char *kernel)
{
    static struct run r;
    r = (struct run){.kernel = kernel};
    run_kernel(&r);
    assert_int_equal(r.observation.status, OBSERVED_OK);
    return r.observation.time_ps;
}

// How often a kernel waits for memory, when `one` waits once and `none` never.
static uint64_t waits(uint64_t time, uint64_t none, uint64_t one)
{
    return (time - none + (one - none) / 2) / (one - none);
}

static void loads_under_many_guards_wait_two_by_two(void **state)
{
    (void)state;
    uint64_t none = time_of(PROGRAM("")), one = time_of(PROGRAM(SUM(0, 0)));
    assert_true(one > none + 300000);
    assert_int_equal(waits(time_of(PROGRAM(SIX)), none, one), 1);
    assert_int_equal(waits(time_of(PROGRAM(SIX SUM(6, 6))), none, one), 1);
    assert_int_equal(waits(time_of(PROGRAM(SIX SUM(6, 6) SUM(7, 7))), none, one), 4);
    assert_int_equal(waits(time_of(PROGRAM(SIX SUM(0, 6) SUM(1, 7))), none, one), 1); // six guards
}

static void loads_alone_under_many_guards_wait_together(void **state)
{
    (void)state;
#define ALONE(n) "mov.f32 %v" #n ", 0f00000000;\n" UNDER(n, n, LOAD(n))
#define ADD(n) "add.f32 %v9, %v9, %v" #n ";\n"
    uint64_t none = time_of(PROGRAM("")), one = time_of(PROGRAM(ALONE(0) ADD(0)));
    const char *eight = PROGRAM(ALONE(0) ALONE(1) ALONE(2) ALONE(3) ALONE(4) ALONE(5) ALONE(6) ALONE(7) ADD(0) ADD(1)
                                    ADD(2) ADD(3) ADD(4) ADD(5) ADD(6) ADD(7));
    assert_int_equal(waits(time_of(eight), none, one), 1);
}

// A loaded value takes a register until it is added. Without the directive, the kernel gets registers for all of them.
static void loads_wait_in_as_many_registers_as_there_are(void **state)
{
    (void)state;
#define PAIR(n) LOAD(n) "add.f32 %v9, %v9, %v" #n ";\n"
#define WITH(directive, body)                                                                                          \
    RUN_HEAD ".visible .entry k(.param .u64 p)\n" directive "{\n" RUN_BODY                                             \
             ".reg .f32 %v<10>, %va, %vb, %vc, %vd, %ve, %vf;\n"                                                       \
             "mov.f32 %v9, 0f00000000;\nbar.sync 0;\n" body "bar.sync 0;\nst.global.f32 [%d1+4000], %v9;\nret;\n}\n"
#define FEW PAIR(1) PAIR(2) PAIR(3) PAIR(4)
#define MANY FEW PAIR(5) PAIR(6) PAIR(7) PAIR(8) PAIR(a) PAIR(b) PAIR(c) PAIR(d) PAIR(e) PAIR(f)
    uint64_t none = time_of(WITH("", "")), one = time_of(WITH("", PAIR(1)));
    assert_int_equal(waits(time_of(WITH("", MANY)), none, one), 1);
    assert_int_equal(waits(time_of(WITH(".maxnreg 16\n", FEW)), none, one), 1);
    assert_int_equal(waits(time_of(WITH(".maxnreg 16\n", MANY)), none, one), 2);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_under_many_guards_wait_two_by_two),
        cmocka_unit_test(loads_alone_under_many_guards_wait_together),
        cmocka_unit_test(loads_wait_in_as_many_registers_as_there_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
