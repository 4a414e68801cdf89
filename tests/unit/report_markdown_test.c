// Markdown on a terminal: blocks, marks within them, and items of a list by number.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
// after the above
#include <cmocka.h>

#include "base/text.h"
#include "report/markdown.h"

static const struct report_options plain = {.utf8 = 1, .columns = 30}, colour = {.colour = 1, .utf8 = 1, .columns = 30},
                                   ascii = {.columns = 30};

static void shows(const struct report_options *how, const char *page, const char *expected)
{
    struct text t = {0};
    markdown_render(page, how, &t);
    assert_string_equal(t.data ? t.data : "", expected);
    text_free(&t);
}

static void blocks_are_wrapped_and_code_is_not(void **state)
{
    (void)state;
    shows(&plain, "", "");
    shows(&plain, "# A page\n\nOne line\nof two that become one line.\n",
          "A page\n\nOne line of two that become\none line.\n");
    shows(&plain, "12. An item whose second line is indented as its first.\n    Further text.",
          "12. An item whose second line\n    is indented as its first.\n    Further text.\n");
    shows(&plain, "1. a:\n\n   - b\n     more\n   - c\n\n   the end\n2. d\n",
          "1. a:\n\n   - b more\n   - c\n\n   the end\n2. d\n");
    shows(&plain, "   ```\n   int   a = 1; // one, two, three, four\n\n   `b` *c*\n   ```\nd\n",
          "   int   a = 1; // one, two, three, four\n\n   `b` *c*\nd\n");
}

static void numbers_at_the_beginning_of_a_further_line_begin_no_item(void **state)
{
    (void)state;
    shows(&plain, "1. as many as\n   12. And so on\n", "1. as many as 12. And so on\n");
}

static void marks_are_painted_or_left_out(void **state)
{
    (void)state;
    shows(&plain, "**No** `code *x*` is *bad*, [see](../here.md#there).\n", "No `code *x*` is bad, see.\n");
    shows(&colour, "**No** `a *b*` is *bad*\n", "\033[1mNo\033[0m \033[32ma *b*\033[0m is \033[1mbad\033[0m\n");
    shows(&ascii, "2 × 3 … `a`\n", "2 x 3 ... `a`\n");
}

static void a_mark_without_its_other_half_stays(void **state)
{
    (void)state;
    shows(&plain, "2 * 3 ** 4 ` 5 [6] [7\n", "2 * 3 ** 4 ` 5 [6] [7\n");
    shows(&plain, "*\n`\n[\n", "* ` [\n");
}

static void an_item_is_found_by_its_number(void **state)
{
    (void)state;
    static const char page[] = "# A\n\n1. one\n\n   12. more\n\n2. two\n\n## B\n\nend\n";
    struct text t = {0};
    assert_true(markdown_item(page, 1, &t));
    assert_string_equal(t.data, "1. one\n\n   12. more\n");
    text_free(&t);
    assert_true(markdown_item(page, 2, &t));
    assert_string_equal(t.data, "2. two\n");
    text_free(&t);
    assert_false(markdown_item(page, 12, &t));
    assert_false(markdown_item(page, 0, &t));
    assert_false(markdown_item("", 1, &t));
    assert_int_equal(t.length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_wrapped_and_code_is_not),
        cmocka_unit_test(numbers_at_the_beginning_of_a_further_line_begin_no_item),
        cmocka_unit_test(marks_are_painted_or_left_out),
        cmocka_unit_test(a_mark_without_its_other_half_stays),
        cmocka_unit_test(an_item_is_found_by_its_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
