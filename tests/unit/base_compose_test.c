// Composed characters: what Unicode's NFD and NFC have of the same name.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/compose.h"

static void names(void **state)
{
    static const struct {
        const char *before, *after;
    } of[] = {
        {"", ""},
        {"Jane Doe", "Jane Doe"},
        {"Zoe\xcc\x88", "Zo\xc3\xab"},
        {"Zo\xc3\xab", "Zo\xc3\xab"},
        {"e\xcc\x82\xcc\x81", "\xe1\xba\xbf"},                                    // ế in three parts
        {"o\xcc\xa3\xcc\x82", "\xe1\xbb\x99"},                                    // ộ
        {"a\xcc\xa7\xcc\x81", "\xc3\xa1\xcc\xa7"},                                // no ạ̧: the accent is joined
        {"e \xcc\x81", "e \xcc\x81"},                                             // a blank has no accent
        {"\xe1\x84\x80\xe1\x85\xb5\xe1\x86\xb7", "\xea\xb9\x80"},                 // 김
        {"\xe1\x84\x8e\xe1\x85\xa5\xe1\x86\xaf\xe1\x84\x89\xe1\x85\xae", "철수"}, //
        {"\xe1\x84\x80 \xe1\x85\xb5", "\xe1\x84\x80 \xe1\x85\xb5"},               // apart
        {"x\xff\xcc\x88y\xe1\x84", "x\xff\xcc\x88y\xe1\x84"},                     // not UTF-8
        {"\xcc\x81z", "\xcc\x81z"},                                               // nothing to join
        {"\xf0\x91\x82\x99\xf0\x91\x82\xba", "\xf0\x91\x82\x9a"},                 // of four bytes
        {"=\xcc\xb8", "\xe2\x89\xa0"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof of / sizeof *of; ++i) {
        char text[64];
        snprintf(text, sizeof text, "%s", of[i].before);
        compose_text(text);
        assert_string_equal(text, of[i].after);
        compose_text(text);
        assert_string_equal(text, of[i].after);
    }
}

// Every row of the table is found, and the table is in order.
static void whole_table(void **state)
{
    static const uint32_t row[][3] = {
#define COMPOSE(first, second, composed) {first, second, composed},
#include "base/compose.def"
#undef COMPOSE
    };
    (void)state;
    for (size_t i = 1; i < sizeof row / sizeof *row; ++i)
        assert_true(row[i - 1][0] < row[i][0] || (row[i - 1][0] == row[i][0] && row[i - 1][1] < row[i][1]));
    assert_true(sizeof row / sizeof *row > 900);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(whole_table)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
