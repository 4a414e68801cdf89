// The speedups that a lab requires on each device.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "lab/threshold.h"

static const struct lab lab7 = {.name = "lab7", .lesson = 40, .furthest = 50};

static void an_h200_is_the_default(void **state)
{
    (void)state;
    struct lab_threshold t = lab_threshold(&lab7, NULL), h200 = lab_threshold(&lab7, "h200");
    assert_true(t.minimum == h200.minimum && t.full == h200.full);
}

static void simulated_devices_have_their_own(void **state)
{
    (void)state;
    const char *const device[] = {"h200", "a100", "t4", "rtx3060", "gk110"};
    for (int k = 0; k < 5; k++) {
        struct lab_threshold t = lab_threshold(&lab7, device[k]);
        assert_true(t.lesson != 40 && t.lesson > 1 && t.full > 1);
    }
}

static void a_lab_of_ones_own_keeps_its_figures(void **state)
{
    (void)state;
    static const struct lab lab9 = {.name = "lab9", .lesson = 2, .furthest = 3};
    struct lab_threshold t = lab_threshold(&lab9, "t4");
    assert_true(t.minimum == 1.7 && t.lesson == 2 && t.full == 2.55);
}

static void the_lessons_step_passes_with_a_margin(void **state)
{
    (void)state;
    for (double lesson = 1.3; lesson < 100; lesson *= 1.07) {
        struct lab_threshold t = lab_threshold_of(lesson, 2 * lesson);
        assert_true(t.minimum > 0 && t.minimum <= LAB_ALLOWANCE * lesson + 1e-9);
        assert_true(t.minimum > LAB_ALLOWANCE * lesson - 0.01);
        assert_true(fabs(t.full - 2 * LAB_ALLOWANCE * lesson) <= 0.01);
    }
}

static void only_the_labs_own_have_a_version(void **state)
{
    (void)state;
    static const struct lab lab9 = {.name = "lab9", .lesson = 2, .furthest = 3};
    assert_int_equal(lab_threshold(&lab7, "t4").version, LAB_THRESHOLD_VERSION);
    assert_int_equal(lab_threshold(&lab9, NULL).version, LAB_THRESHOLD_VERSION);
    assert_int_equal(lab_threshold_of(2, 3).version, 0);
}

static void no_minimum_where_the_lesson_hardly_helps(void **state)
{
    (void)state;
    assert_true(lab_threshold_of(1.29, 4).minimum == 0);
    assert_true(lab_threshold_of(1.29, 4).full == 3.4);
    assert_true(lab_threshold_of(1.3, 4).minimum == 1.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_h200_is_the_default),
        cmocka_unit_test(simulated_devices_have_their_own),
        cmocka_unit_test(a_lab_of_ones_own_keeps_its_figures),
        cmocka_unit_test(the_lessons_step_passes_with_a_margin),
        cmocka_unit_test(only_the_labs_own_have_a_version),
        cmocka_unit_test(no_minimum_where_the_lesson_hardly_helps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
