// Names of files: which encoding they are in, and that different names stay different.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "base/utf8.h"
#include "batch/unpack/filename.h"

static void assert_name(const char *encoding, const char *bytes, size_t length, int dos, const char *name)
{
    struct filename_rule rule = {.encoding = encoding};
    struct text out = {0};
    filename_decode(&out, &rule, bytes, length, dos);
    assert_string_equal(out.data, name);
    text_free(&out);
}
#define NAME(encoding, bytes, dos, name) assert_name(encoding, bytes, sizeof(bytes) - 1, dos, name)

static void utf8_comes_first(void **state)
{
    (void)state;
    NAME(NULL, "", 0, "");
    NAME(NULL, "a/b.cu", 0, "a/b.cu");
    NAME("CP949", "박지성/과제.cu", 0, "박지성/과제.cu");
    NAME(NULL, "Zoe\xcc\x88", 0, "Zoe\xcc\x88"); // the path stays that of the file; authors are composed later
}

static void then_the_stated_encoding(void **state)
{
    (void)state;
    NAME("CP949", "\xb9\xda\xc1\xf6\xbc\xba/a", 0, "박지성/a");
    NAME("CP932",
         "\x95\x5c\x5c"
         "a",
         1, "表/a"); // the second byte of the sign is the code of a backslash
    NAME("CP949", "a\xff/b\\", 0, "a\\xff/b\\\\");
    NAME("no such", "\xe9", 0, "\\xe9");
}

static void then_a_guess_that_is_counted(void **state)
{
    struct filename_rule rule = {0};
    struct text out = {0}, said = {0};
    (void)state;
    NAME(NULL, "\xb9\xda\xc1\xf6\xbc\xba", 1, "박지성");
    NAME(NULL, "M\x81ller", 1, "Müller");
    NAME(NULL, "M\xfcller", 0, "Müller");
    filename_say(&rule, "x.zip", &said);
    assert_null(said.data);
    filename_decode(&out, &rule, "M\x81ller", 6, 1);
    filename_decode(&out, &rule, "M\x81ller", 6, 0); // no character of Windows-1252
    filename_decode(&out, &rule, "plain", 5, 0);
    assert_int_equal(rule.guessed, 1);
    assert_int_equal(rule.guesses, FILENAME_CP437);
    assert_int_equal(rule.unknown, 1);
    filename_say(&rule, "x.zip", &said);
    assert_non_null(strstr(said.data, "1 names bear no mark of their encoding; read as CP437, by guess: 'x.zip'"));
    assert_non_null(strstr(said.data, "1 names are in no known encoding"));
    text_free(&out);
    text_free(&said);
}

static void different_names_stay_different(void **state)
{
    (void)state;
    NAME(NULL, "a\nb", 0, "a\\x0ab");
    NAME(NULL, "a\tb", 0, "a\\x09b");
    NAME(NULL, "a\\x0ab", 0, "a\\\\x0ab");
    NAME(NULL, "a\0b", 0, "a\\x00b");
    NAME(NULL, "a\u200fb", 0, "a\\xe2\\x80\\x8fb");
    NAME(NULL, "a\\b\\c", 1, "a/b/c");
    NAME(NULL, "a\\b/c", 1, "a\\\\b/c"); // a backslash beside a slash is part of a name
    NAME(NULL, "a\\b", 0, "a\\\\b");
}

static void long_parts_are_shortened_by_a_hash(void **state)
{
    char name[3][900];
    struct filename_rule rule = {0};
    struct text out[3] = {{0}};
    (void)state;
    for (int i = 0; i < 3; ++i) {
        memset(name[i], 'x', sizeof name[i]);
        for (size_t k = 0; k < 300; ++k) memcpy(name[i] + 3 * k, "가", 3);
        memcpy(name[i] + 895, ".cu", 4);
    }
    name[1][890] = 'y';
    name[2][241] = '/';
    for (int i = 0; i < 3; ++i) filename_decode(&out[i], &rule, name[i], 898, 0);
    assert_string_not_equal(out[0].data, out[1].data);
    for (int i = 0; i < 3; ++i) {
        assert_string_equal(out[i].data + out[i].length - 3, ".cu");
        assert_int_equal(strcspn(out[i].data, "/") <= FILENAME_PART, 1);
        assert_int_equal(utf8_invalid(out[i].data, out[i].length), out[i].length);
        text_free(&out[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_comes_first),
        cmocka_unit_test(then_the_stated_encoding),
        cmocka_unit_test(then_a_guess_that_is_counted),
        cmocka_unit_test(different_names_stay_different),
        cmocka_unit_test(long_parts_are_shortened_by_a_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
