// Merging the coverage of several launches: counts of lines, branches and functions add up, even if a list lacks some
// of them.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "engine/coverage.h"

static struct coverage sum, more;

static int prepare(void **state)
{
    (void)state;
    sum = (struct coverage){
        .nlines = 2, .line = {{.line = 4, .threads = 32}, {.line = 9}}, .nbranches = 1, .nfunctions = 1};
    sum.branch[0] = (struct coverage_branch){.line = 4, .index = 1, .taken = 5};
    sum.function[0] = (struct coverage_function){.name = "k", .line = 4};
    more = (struct coverage){.nlines = 3,
                             .line = {{.line = 1, .threads = 2}, {.line = 4, .threads = 8}, {.line = 9, .threads = 1}},
                             .nbranches = 2,
                             .nfunctions = 2};
    more.branch[0] = (struct coverage_branch){.line = 4, .index = 0, .fallen = 7};
    more.branch[1] = (struct coverage_branch){.line = 4, .index = 1, .taken = 1, .fallen = 2};
    more.function[0] = (struct coverage_function){.name = "f", .line = 4, .threads = 3};
    more.function[1] = (struct coverage_function){.name = "k", .line = 4, .threads = 4};
    return 0;
}

static void counts_add_up(void **state)
{
    (void)state;
    coverage_add(&sum, &more);
    assert_int_equal(sum.nlines, 3);
    assert_int_equal(sum.line[0].line, 1);
    assert_int_equal(sum.line[0].threads, 2);
    assert_int_equal(sum.line[1].threads, 40);
    assert_int_equal(sum.line[2].threads, 1);
    assert_int_equal(sum.nbranches, 2);
    assert_int_equal(sum.branch[0].fallen, 7);
    assert_int_equal(sum.branch[1].taken, 6);
    assert_int_equal(sum.branch[1].fallen, 2);
    assert_int_equal(sum.nfunctions, 2);
    assert_string_equal(sum.function[0].name, "f");
    assert_int_equal(sum.function[1].threads, 4);
}

static void marks_say_only_that_it_was_reached(void **state)
{
    (void)state;
    coverage_mark(&sum, &more);
    assert_int_equal(sum.nlines, 2);
    assert_int_equal(sum.line[0].threads, 32);
    assert_int_equal(sum.line[1].threads, 1);
    assert_int_equal(sum.nbranches, 1);
    assert_int_equal(sum.branch[0].taken, 5);
    assert_int_equal(sum.branch[0].fallen, 1);
    assert_int_equal(sum.nfunctions, 1);
    assert_int_equal(sum.function[0].threads, 1);
}

static void what_does_not_fit_is_left_out(void **state)
{
    (void)state;
    memset(&sum, 0, sizeof sum);
    sum.nlines = COVERAGE_LINES;
    for (uint32_t i = 0; i < COVERAGE_LINES; i++) sum.line[i].line = 100 + i;
    coverage_add(&sum, &more);
    assert_int_equal(sum.nlines, COVERAGE_LINES);
    assert_int_equal(sum.line[0].line, 100);
}

#define TEST(name) cmocka_unit_test_setup(name, prepare)
int main(void)
{
    const struct CMUnitTest tests[] = {TEST(counts_add_up), TEST(marks_say_only_that_it_was_reached),
                                       TEST(what_does_not_fit_is_left_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
