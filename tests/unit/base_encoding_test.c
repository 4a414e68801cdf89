// The encodings in which students save their sources. The expected characters are written down here in UTF-8.
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <string.h>

#include "base/encoding.h"
#include "base/text.h"

#define BYTES(literal) literal, sizeof literal - 1

static void assert_becomes(const char *bytes, size_t length, const char *expected, size_t expected_length)
{
    struct text t = {0};
    text_add(&t, bytes, length);
    encoding_to_utf8(&t);
    assert_int_equal(t.length, expected_length);
    assert_memory_equal(t.data, expected, expected_length + 1);
    text_free(&t);
}

static void utf8_stays_and_loses_its_mark(void **state)
{
    (void)state;
    assert_becomes(BYTES("// 커널, naïve\n"), BYTES("// 커널, naïve\n"));
    assert_becomes(BYTES("\xef\xbb\xbf// 커널"), BYTES("// 커널"));
    assert_becomes(BYTES("\xef\xbb\xbf"), BYTES(""));
    assert_becomes(BYTES("x"), BYTES("x"));
    struct text empty = {0};
    encoding_to_utf8(&empty);
    assert_int_equal(empty.length, 0);
}

static void utf16_needs_its_mark(void **state)
{
    (void)state;
    assert_becomes(BYTES("\xff\xfe/\0/\0\x4c\xd5\xc0\x00\n\0"), BYTES("//핌À\n"));
    assert_becomes(BYTES("\xfe\xff\0/\0/\xd5\x4c\0\n"), BYTES("//핌\n"));
    assert_becomes(BYTES("\xff\xfe\x3d\xd8\x00\xde"), BYTES("😀"));
    // half a pair, an odd byte, and no mark: no text, so the bytes stay
    assert_becomes(BYTES("\xff\xfe\x3d\xd8x\0"), BYTES("\xff\xfe\x3d\xd8x\0"));
    assert_becomes(BYTES("\xff\xfex"), BYTES("\xff\xfex"));
    assert_becomes(BYTES("/\0/\0"), BYTES("/\0/\0"));
}

static void cp949_needs_a_syllable(void **state)
{
    (void)state;
    assert_becomes(BYTES("// \xc7\xd1\xb1\xdb\n"), BYTES("// 한글\n"));
    assert_becomes(BYTES("\"\xb6\xd0\xa2\xc1\x8c\x63\""), BYTES("\"뙨⊙똠\""));
    // letters of Latin-1 that CP949 could read as pairs, too
    assert_becomes(BYTES("// \xc4pfel, 90\xb0 C"), BYTES("// Äpfel, 90° C"));
    // a syllable, and then a byte without its second one
    assert_becomes(BYTES("\xc7\xd1 \xe9"), BYTES("ÇÑ é"));
}

static void all_other_bytes_are_latin(void **state)
{
    (void)state;
    assert_becomes(BYTES("na\xefve d\xe9j\xe0 vu"), BYTES("naïve déjà vu"));
    assert_becomes(BYTES("\x93quoted\x94 \x80"), BYTES("“quoted” €"));
    assert_becomes(BYTES("\x81 \xe9"), BYTES("\xc2\x81 é")); // 0x81 is undefined in Windows-1252
}

static void lines_end_with_a_line_feed_and_keep_their_numbers(void **state)
{
    (void)state;
    assert_becomes(BYTES("a\r\nb\r\n\r\nc"), BYTES("a\nb\n\nc"));
    assert_becomes(BYTES("a\rb\n"), BYTES("a\nb\n"));
    assert_becomes(BYTES("\xff\xfe"
                         "a\0\r\0\n\0"),
                   BYTES("a\n"));
}

static void a_long_file_is_converted_whole(void **state)
{
    (void)state;
    enum { PAIRS = 100000 };
    struct text t = {0};
    for (int i = 0; i < PAIRS; ++i) text_add(&t, "\xc7\xd1", 2);
    encoding_to_utf8(&t);
    assert_int_equal(t.length, 3 * PAIRS);
    for (int i = 0; i < PAIRS; ++i) assert_memory_equal(t.data + 3 * i, "한", 3);
    text_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(utf8_stays_and_loses_its_mark),
        cmocka_unit_test(utf16_needs_its_mark),
        cmocka_unit_test(cp949_needs_a_syllable),
        cmocka_unit_test(all_other_bytes_are_latin),
        cmocka_unit_test(lines_end_with_a_line_feed_and_keep_their_numbers),
        cmocka_unit_test(a_long_file_is_converted_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
