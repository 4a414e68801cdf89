// The speedups that a lab requires on each device.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>

#include "lab/threshold.h"

static const struct lab lab7 = {.name = "lab7", .minimum = 4.7, .full = 4.75};

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
        assert_true(t.minimum != 4.7 && t.minimum > 1 && t.full >= t.minimum);
    }
}

static void a_lab_of_ones_own_keeps_its_figures(void **state)
{
    (void)state;
    static const struct lab lab9 = {.name = "lab9", .minimum = 2, .full = 3};
    struct lab_threshold t = lab_threshold(&lab9, "t4");
    assert_true(t.minimum == 2 && t.full == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_h200_is_the_default),
        cmocka_unit_test(simulated_devices_have_their_own),
        cmocka_unit_test(a_lab_of_ones_own_keeps_its_figures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
