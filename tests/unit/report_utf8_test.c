// The width of text on a terminal, and line breaks.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
// after the above
#include <cmocka.h>

#include "base/text.h"
#include "report/utf8.h"

static size_t width(const char *text)
{
    return utf8_width(text, strlen(text));
}

static void a_sign_is_one_column_and_hangul_two(void **state)
{
    (void)state;
    assert_int_equal(width(""), 0);
    assert_int_equal(width("race"), 4);
    assert_int_equal(width("3 \u00d7 \u2026"), 5);
    assert_int_equal(width("\ud55c\uae00"), 4);
    assert_int_equal(width("a\uac00b"), 4);
    assert_int_equal(width("\u4e2d"), 2);
    assert_int_equal(width("\U00020000"), 2);
}

static void marks_have_no_column(void **state)
{
    (void)state;
    assert_int_equal(width("e\u0301"), 1);
    assert_int_equal(width("o\u0323\u0302"), 1);
    assert_int_equal(width("a\u200bb"), 2);
}

static void emoji_are_wide(void **state)
{
    (void)state;
    assert_int_equal(width("\u2705 \U0001f680"), 5);
    assert_int_equal(width("\u2713"), 1);
}

static void what_is_cut_or_controls_has_one_column_a_byte(void **state)
{
    (void)state;
    assert_int_equal(width("a\tb"), 3);
    assert_int_equal(utf8_width("\ud55c\uae00", 5), 4);
    assert_int_equal(utf8_width("\ud55c\uae00", 4), 3);
}

static void colours_count_nothing(void **state)
{
    (void)state;
    assert_int_equal(width("\033[31mwrong\033[0m"), 5);
    assert_int_equal(width("\033[31m\ud55c\033[0m"), 2);
    assert_int_equal(width("\033[31"), 4); // ends early
}

static void a_line_is_broken_by_its_columns(void **state)
{
    (void)state;
    struct text out = {0};
    utf8_wrap(&out, "\uac00\uac00 \ub098\ub098 \ub2e4\ub2e4", 0, 2, 10);
    assert_string_equal(out.data, "\uac00\uac00 \ub098\ub098\n  \ub2e4\ub2e4");
    text_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sign_is_one_column_and_hangul_two),
        cmocka_unit_test(marks_have_no_column),
        cmocka_unit_test(emoji_are_wide),
        cmocka_unit_test(what_is_cut_or_controls_has_one_column_a_byte),
        cmocka_unit_test(colours_count_nothing),
        cmocka_unit_test(a_line_is_broken_by_its_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
