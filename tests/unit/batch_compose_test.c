// Composed characters: what Unicode's NFD and NFC have of the same name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "batch/unpack/compose.h"

static void assert_composed(const char *before, const char *after)
{
    char field[64];
    struct text t = {0};
    snprintf(field, sizeof field, "%s", before);
    text_puts(&t, before);
    for (int again = 0; again < 2; ++again) { // what is composed stays
        compose_field(field, sizeof field);
        compose_text(&t);
        assert_string_equal(field, after);
        assert_string_equal(t.data ? t.data : "", after);
        assert_int_equal(t.length, strlen(after));
    }
    text_free(&t);
}

static void names(void **state)
{
    static const struct {
        const char *before, *after;
    } of[] = {
        {"", ""},
        {"Jane Doe", "Jane Doe"},
        {"Zoe\u0308", "Zo\u00eb"},
        {"Zo\u00eb", "Zo\u00eb"},
        {"Jose\u0301", "Jos\u00e9"},
        {"e\u0302\u0301", "\u1ebf"},
        {"o\u0323\u0302", "\u1ed9"},
        {"o\u0302\u0323", "\u1ed9"},                              // marks in another order
        {"a\u0327\u0301", "\u00e1\u0327"},                        // the accent is joined, the cedilla is not
        {"e \u0301", "e \u0301"},                                 // a blank has no accent
        {"\u1112\u1161\u11ab", "\ud55c"},                         // 한
        {"\u1100\u1175\u11b7", "\uae40"},                         // 김
        {"\u110e\u1165\u11af\u1109\u116e", "\ucca0\uc218"},       // 철수
        {"\uae40\ucca0\uc218", "\uae40\ucca0\uc218"},             //
        {"\u1100 \u1175", "\u1100 \u1175"},                       // apart
        {"\u0301z", "\u0301z"},                                   // nothing to join
        {"\xf0\x91\x82\x99\xf0\x91\x82\xba", "\xf0\x91\x82\x9a"}, // of four bytes
        {"=\u0338", "\u2260"},                                    //
        {"\u212b \u2126", "\u00c5 \u03a9"},                       // signs that are letters
        {"\uf9e1", "\u674e"},                                     // a surname that CP949 has twice
        {"\u0958", "\u0915\u093c"},                               // NFC takes it apart, and it grows
        {"\ufb01 \uff21 \u00b2", "\ufb01 \uff21 \u00b2"},         // alike, but not the same
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) assert_composed(of[i].before, of[i].after);
}

static void bytes_that_are_no_utf8_stay(void **state)
{
    (void)state;
    assert_composed("x\xff\xcc\x88y\xe1\x84", "x\xff\xcc\x88y\xe1\x84");
    assert_composed("\xff\xfe\x80", "\xff\xfe\x80");
    assert_composed("e\xcc\x81\xff"
                    "e\xcc\x81",
                    "\xc3\xa9\xff\xc3\xa9"); // on both sides of such a byte, characters are composed
    assert_composed("\xed\xa0\x80\xc0\xaf", "\xed\xa0\x80\xc0\xaf"); // half a surrogate pair, an overlong slash
}

static void a_text_may_hold_nul(void **state)
{
    struct text t = {0};
    (void)state;
    text_add(&t, "e\xcc\x81\0e\xcc\x81", 7);
    compose_text(&t);
    assert_int_equal(t.length, 5);
    assert_memory_equal(t.data, "\xc3\xa9\0\xc3\xa9", 6);
    text_free(&t);
}

static void no_text_is_longer_than_its_field(void **state)
{
    char field[8];
    (void)state;
    memset(field, 'x', sizeof field);
    strncpy(field, "\u0958", 4);
    compose_field(field, 6); // "\u0915\u093c" has six bytes
    assert_memory_equal(field, "\u0958\0xxxx", 8);
    compose_field(field, 7);
    assert_memory_equal(field, "\u0915\u093c\0x", 8);
}

// The library refuses no character, whatever its row in the tables.
static void every_character_is_taken(void **state)
{
    struct text t = {0};
    (void)state;
    for (uint32_t c = 1; c < 0x110000; ++c) {
        if (c >= 0xd800 && c < 0xe000) continue;
        int n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        char bytes[4] = {0};
        for (uint32_t i = (uint32_t)n, rest = c; i-- > 0; rest >>= 6) bytes[i] = (char)(0x80 | (rest & 0x3f));
        if (n == 1)
            bytes[0] = (char)c;
        else
            bytes[0] = (char)(0xf00 >> n | c >> 6 * (n - 1));
        text_add(&t, bytes, (size_t)n);
        text_puts(&t, " ");
    }
    compose_text(&t);
    struct text once = {0};
    text_add(&once, t.data, t.length);
    compose_text(&t);
    assert_int_equal(t.length, once.length);
    assert_memory_equal(t.data, once.data, t.length);
    text_free(&t);
    text_free(&once);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(bytes_that_are_no_utf8_stay),
        cmocka_unit_test(a_text_may_hold_nul),
        cmocka_unit_test(no_text_is_longer_than_its_field),
        cmocka_unit_test(every_character_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
