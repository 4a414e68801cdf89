// Overlap of spans in a timeline, compared with values computed by hand.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lab/lab.h"

static int by_engine(const struct lab_span *s)
{
    return (int)s->engine;
}

static int by_device(const struct lab_span *s)
{
    return s->engine == LAB_HOST ? -1 : (int)s->device;
}

//            0   2   4   6   8  10
// copy in    [-------)
// kernel 0       [-------)
// kernel 1               [---)        device 1
// host       [---------------)
static struct lab_span span[] = {
    {.engine = LAB_COPY_IN, .device = 0, .start_ps = 0, .end_ps = 4},
    {.engine = LAB_KERNEL, .device = 0, .start_ps = 2, .end_ps = 6},
    {.engine = LAB_KERNEL, .device = 1, .start_ps = 5, .end_ps = 8},
    {.engine = LAB_HOST, .device = 0, .start_ps = 0, .end_ps = 7},
};

static void overlap_is_of_different_keys(void **state)
{
    (void)state;
    struct lab_timeline none = {0}, line = {.span = span, .count = 3, .time_ps = 8};
    assert_int_equal(lab_overlap(&none, by_engine), 0);
    assert_int_equal(lab_overlap(&line, by_engine), 2); // 2 to 4
    assert_int_equal(lab_overlap(&line, by_device), 1); // 5 to 6
    line.count = 4;
    assert_int_equal(lab_overlap(&line, by_engine), 7); // the host with all of them
    assert_int_equal(lab_overlap(&line, by_device), 1); // the host does not count
}

static void alone_is_one_engine(void **state)
{
    (void)state;
    uint64_t alone[LAB_ENGINES];
    struct lab_timeline line = {.span = span, .count = 3, .time_ps = 10};
    assert_int_equal(lab_alone(&line, alone), 2); // 8 to 10
    assert_int_equal(alone[LAB_COPY_IN], 2);      // 0 to 2
    assert_int_equal(alone[LAB_KERNEL], 1 + 2);   // 4 to 5, 6 to 8; from 5 to 6 two devices' are at work
    assert_int_equal(alone[LAB_HOST], 0);
    line.count = 4;
    assert_int_equal(lab_alone(&line, alone), 2);
    assert_int_equal(alone[LAB_COPY_IN], 0);
    assert_int_equal(alone[LAB_KERNEL], 1); // 7 to 8
    line.time_ps = 7;                       // what is later does not count
    assert_int_equal(lab_alone(&line, alone), 0);
    assert_int_equal(alone[LAB_KERNEL], 0);
    line.count = 0;
    assert_int_equal(lab_alone(&line, alone), 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(overlap_is_of_different_keys),
                                       cmocka_unit_test(alone_is_one_engine)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
