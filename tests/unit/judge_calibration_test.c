// Thresholds derived for another card.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "judge/card/calibration.h"

#define POINTS                                                                                                         \
    {                                                                                                                  \
        {8, 4}, {2, 1.5},                                                                                              \
        {                                                                                                              \
            4, 2                                                                                                       \
        }                                                                                                              \
    }

static void near(double got, double expected)
{
    if (!(fabs(got - expected) <= 1e-9 * expected)) fail_msg("%.12g instead of %.12g", got, expected);
}

static double carried(double threshold)
{
    struct calibration_point p[] = POINTS;
    return calibration_threshold(p, 3, threshold);
}

static void kernels_stay_where_they_are(void **state)
{
    (void)state;
    near(carried(2), 1.5);
    near(carried(4), 2);
    near(carried(8), 4);
    near(carried(1), 1);
}

static void between_two_kernels(void **state)
{
    (void)state;
    near(carried(sqrt(8)), sqrt(3)); // half of the way from 2 to 4, and from 1.5 to 2
    near(carried(sqrt(32)), sqrt(8));
    near(carried(sqrt(2)), sqrt(1.5));
    near(carried(16), 8);
}

static void the_same_card_changes_nothing(void **state)
{
    (void)state;
    struct calibration_point p[] = {{7.5, 7.5}, {1.4, 1.4}, {3, 3}};
    for (double t = 1; t < 20; t *= 1.1) near(calibration_threshold(p, 3, t), t);
    near(calibration_threshold(NULL, 0, 4.4), 4.4);
}

static void order_is_kept(void **state)
{
    (void)state;
    double last = 0;
    for (double t = 1; t < 20; t *= 1.05) {
        struct calibration_point p[] = {{2, 3}, {4, 2.5}, {4, 2.6}, {8, 6}}; // two change places here
        double here = calibration_threshold(p, 4, t);
        assert_true(here >= last);
        last = here;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_stay_where_they_are),
        cmocka_unit_test(between_two_kernels),
        cmocka_unit_test(the_same_card_changes_nothing),
        cmocka_unit_test(order_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
