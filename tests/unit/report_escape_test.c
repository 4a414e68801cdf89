// Names of unknown origin in HTML and in spreadsheets.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <string.h>

#include "base/text.h"
#include "report/escape.h"

static void assert_escaped(void (*escape)(struct text *, const char *, size_t), const char *text, const char *expected)
{
    struct text t = {0};
    escape(&t, text, strlen(text));
    assert_string_equal(t.data, expected);
    text_free(&t);
}

static void html_has_no_tags_of_strangers(void **state)
{
    (void)state;
    assert_escaped(escape_html, "<script>alert('1' & \"2\")</script>",
                   "&lt;script&gt;alert(&#39;1&#39; &amp; &quot;2&quot;)&lt;/script&gt;");
    assert_escaped(escape_html, "a\033[31m\xff\u202e한", "a?[31m??한");
}

static void spreadsheets_see_no_formula(void **state)
{
    (void)state;
    assert_escaped(escape_csv, "=cmd|' /C calc'!A0", "\"'=cmd|' /C calc'!A0\"");
    assert_escaped(escape_csv, "+1", "\"'+1\"");
    assert_escaped(escape_csv, "-1", "\"'-1\"");
    assert_escaped(escape_csv, "-", "\"-\"");
    assert_escaped(escape_csv, "@SUM(A1)", "\"'@SUM(A1)\"");
    assert_escaped(escape_csv, "\t=1", "\"'\t=1\"");
    assert_escaped(escape_csv, "Ann \"A\", B", "\"Ann \"\"A\"\", B\"");
    assert_escaped(escape_csv, "", "\"\"");
    assert_escaped(escape_csv, "김철수", "\"김철수\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html_has_no_tags_of_strangers),
        cmocka_unit_test(spreadsheets_see_no_formula),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
