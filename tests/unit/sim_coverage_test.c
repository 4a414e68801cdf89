// Coverage of a launch in threads: every line of the image's line table, executed or not, both ways out of each
// conditional branch, and functions.
#include "sim_run.h"

static struct run r;

// Line 5: everyone. 6: a branch that 8 of 32 threads take. 7: those that fall through. 8: nobody. 9: the 8 call f.
static const char kernel[] = KERNEL(".func f()\n{\n.loc 1 3 1\nret;\n}\n"
                                    ".visible .entry other(.param .u64 p)\n{\n.loc 1 20 1\nret;\n}\n",
                                    ".loc 1 5 1\nsetp.lt.u32 %p1, %r1, 8;\nsetp.gt.u32 %p2, %r1, 99;\n"
                                    ".loc 1 6 1\n@%p1 bra FEW;\n"
                                    ".loc 1 7 1\n@%p2 bra NONE;\nbra.uni END;\n"
                                    "NONE:\n.loc 1 8 1\nst.global.u32 [%d3], %r1;\nbra.uni END;\n"
                                    "FEW:\n.loc 1 9 1\ncall f, ();\n"
                                    "END:\n.loc 1 10 1\n");

static uint64_t threads_at(uint32_t line)
{
    const struct coverage *c = &r.observation.coverage;
    for (uint32_t i = 0; i < c->nlines; i++)
        if (c->line[i].line == line) return c->line[i].threads;
    fail_msg("line %u is not listed", line);
    return 0;
}

static void lines_executed_and_not(void **state)
{
    (void)state;
    r = (struct run){.kernel = kernel, .grid = 3};
    run_kernel(&r);
    assert_int_equal(threads_at(3), 24);
    assert_int_equal(threads_at(5), 96);
    assert_int_equal(threads_at(6), 96);
    assert_int_equal(threads_at(7), 72);
    assert_int_equal(threads_at(8), 0);
    assert_int_equal(threads_at(9), 24);
    assert_int_equal(threads_at(10), 96);
    assert_int_equal(threads_at(20), 0); // another kernel of the image
    const struct coverage *c = &r.observation.coverage;
    for (uint32_t i = 1; i < c->nlines; i++) assert_true(c->line[i - 1].line < c->line[i].line);
}

static void branches_both_ways(void **state)
{
    (void)state;
    r = (struct run){.kernel = kernel};
    run_kernel(&r);
    const struct coverage *c = &r.observation.coverage;
    assert_int_equal(c->nbranches, 2);
    assert_int_equal(c->branch[0].line, 6);
    assert_int_equal(c->branch[0].taken, 8);
    assert_int_equal(c->branch[0].fallen, 24);
    assert_int_equal(c->branch[1].line, 7);
    assert_int_equal(c->branch[1].taken, 0);
    assert_int_equal(c->branch[1].fallen, 24);
}

static void functions_by_line(void **state)
{
    (void)state;
    r = (struct run){.kernel = kernel};
    run_kernel(&r);
    const struct coverage *c = &r.observation.coverage;
    assert_int_equal(c->nfunctions, 3);
    assert_string_equal(c->function[0].name, "f");
    assert_int_equal(c->function[0].threads, 8);
    assert_string_equal(c->function[1].name, "k");
    assert_int_equal(c->function[1].line, 5);
    assert_int_equal(c->function[1].threads, 32);
    assert_string_equal(c->function[2].name, "other");
    assert_int_equal(c->function[2].threads, 0);
}

// Two branches of one line keep their numbers.
static void several_branches_of_a_line(void **state)
{
    (void)state;
    r = (struct run){.kernel = KERNEL("", ".loc 1 5 1\nsetp.lt.u32 %p1, %r1, 8;\nsetp.lt.u32 %p2, %r1, 16;\n"
                                          "@%p1 bra END;\n@!%p2 bra END;\nst.global.u32 [%d3], %r1;\nEND:\n")};
    run_kernel(&r);
    const struct coverage *c = &r.observation.coverage;
    assert_int_equal(c->nbranches, 2);
    assert_int_equal(c->branch[0].index, 0);
    assert_int_equal(c->branch[0].taken, 8);
    assert_int_equal(c->branch[1].index, 1);
    assert_int_equal(c->branch[1].taken, 16);
    assert_int_equal(c->branch[1].fallen, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines_executed_and_not), cmocka_unit_test(branches_both_ways),
                                       cmocka_unit_test(functions_by_line),
                                       cmocka_unit_test(several_branches_of_a_line)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
