// The table of a stopwatch: rows in the order in which they began, parts of the same name added up, and the processor
// time of another process.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/stopwatch.h"
#include "base/text.h"

static void parts_are_added_and_sorted(void **state)
{
    (void)state;
    struct stopwatch *s = stopwatch_new();
    struct text t = {0};
    struct stopwatch_lap first = stopwatch_begin(1000000000), second = stopwatch_begin(0);
    stopwatch_end(s, &second, 0, "short", "of two");
    stopwatch_end(s, &first, 3500000000, "long", NULL); // ends last, but began first
    second = stopwatch_begin(0);
    stopwatch_end(s, &second, 0, "short", "of two");
    stopwatch_end(NULL, &second, 0, "nothing", NULL);
    stopwatch_table(s, &t);
    const char *a = strstr(t.data, "long\n"), *b = strstr(t.data, "     2  short, of two\n");
    assert_non_null(a);
    assert_non_null(b);
    assert_true(a < b);
    assert_null(strstr(t.data, "nothing"));
    assert_non_null(strstr(t.data, "    2.50")); // seconds of the other process
    assert_string_equal(t.data + t.length - 5, " all\n");
    text_free(&t);
    stopwatch_free(s);
    stopwatch_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(parts_are_added_and_sorted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
