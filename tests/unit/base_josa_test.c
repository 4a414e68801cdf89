// Korean particles after syllables, digits and names.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
// after the above
#include <cmocka.h>

#include "base/josa.h"
#include "base/text.h"

static void becomes(const char *text, const char *expected)
{
    struct text t = {0};
    text_puts(&t, text);
    josa_choose(&t, 0);
    assert_string_equal(t.data, expected);
    assert_int_equal(t.length, strlen(expected));
    text_free(&t);
}

static void syllables(void **state)
{
    (void)state;
    becomes("워프은(는) 블록은(는)", "워프는 블록은");
    becomes("레인이(가) 뱅크이(가)", "레인이 뱅크가");
    becomes("'커널'을(를) '자리'을(를)", "'커널'을 '자리'를");
    becomes("스트림와(과) 장치와(과)", "스트림과 장치와");
    becomes("커널(으)로 블록(으)로 뱅크(으)로", "커널로 블록으로 뱅크로"); // ㄹ is a vowel to 로
    becomes("커널은(는)", "커널은");                                       // and to no other
}

static void digits_are_read(void **state)
{
    (void)state;
    becomes("1이(가) 2이(가) 10이(가)", "1이 2가 10이");
    becomes("코드 7(으)로, 3(으)로", "코드 7로, 3으로");
    becomes("스레드 (31,0,0)이(가)", "스레드 (31,0,0)이");
    becomes("tile[4]을(를)", "tile[4]를");
}

static void a_function_ends_in_a_vowel(void **state)
{
    (void)state;
    becomes("__syncthreads()을(를)", "__syncthreads()를");
}

static void what_can_be_read_either_way_is_left(void **state)
{
    (void)state;
    becomes("'in'은(는) out이(가)", "'in'은(는) out이(가)");
    becomes("을(를)", "을(를)");
    becomes("é은(는) 中은(는)", "é은(는) 中은(는)");
    becomes("", "");
}

static void what_stood_before_is_left_and_is_read(void **state)
{
    (void)state;
    struct text t = {0};
    text_puts(&t, "a이(가) 워프");
    size_t from = t.length;
    text_puts(&t, "이(가)");
    josa_choose(&t, from);
    assert_string_equal(t.data, "a이(가) 워프가");
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(syllables),
        cmocka_unit_test(digits_are_read),
        cmocka_unit_test(a_function_ends_in_a_vowel),
        cmocka_unit_test(what_can_be_read_either_way_is_left),
        cmocka_unit_test(what_stood_before_is_left_and_is_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
