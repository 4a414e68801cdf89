// Marshalled messages: they cross a process border with their format, and are translated on the other side.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
// after the above
#include <cmocka.h>

#include "base/message.h"

// What this process would say were it a runner, told by the same process.
static void there_and_back(char out[256], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void there_and_back(char out[256], const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_vprint(out, 256, format, args);
    va_end(args);
    assert_int_equal(out[0], 2);
    message_unmarshal(out, 256, out);
}

static void what_was_filled_in_comes_back(void **state)
{
    char out[256];
    (void)state;
    there_and_back(out, "'%.*s' is 100 %% of %llu, %c%5.1f|%-4d|", 3, "abcdef", 1ull << 40, '(', 2.25, -7);
    assert_string_equal(out, "'abc' is 100 % of 1099511627776, (  2.2|-7  |");
    there_and_back(out, "no marks");
    assert_string_equal(out, "no marks");
    message_print(out, sizeof out, "%s", "");
    assert_string_equal(out, ""); // nothing that somebody else said is nothing
}

static void sentences_fill_sentences(void **state)
{
    char inner[100], out[256];
    (void)state;
    message_print(inner, sizeof inner, "operand %u %s", 2, _("must be a register"));
    there_and_back(out, "12:7: '%s': %s", "mul", inner);
    assert_string_equal(out, "12:7: 'mul': operand 2 must be a register");
    snprintf(out, sizeof out, "3:1: %s", inner); // behind text that has no marks
    message_unmarshal(out, sizeof out, out);
    assert_string_equal(out, "3:1: operand 2 must be a register");
}

// A runner that was taken over sends what it likes; and long sentences are cut.
static void any_bytes_are_told(void **state)
{
    static const char *const bad[] = {"\2",
                                      "\2\4",
                                      "\2\4%s",
                                      "\2\4%s\5",
                                      "\2%s%s%n\3",
                                      "\2%9$s\4%s\5a\6\3",
                                      "\3\4\5\6",
                                      "\2\2\2\2\2\2\2\2x",
                                      "\2%",
                                      "\2%1$",
                                      "\2\4%\5\6%%\3",
                                      "\2\4%s\5\2\4%s\5\2\4%s\5\2\4%s\5\2\4%s\5\2\4%s\5x"};
    char out[256];
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) message_unmarshal(out, sizeof out, bad[i]);
    message_unmarshal(out, sizeof out, "\2%s%s%s of %d\4%s\5a\6\3");
    assert_string_equal(out, "a of ");
    for (uint32_t seed = 1; seed < 20000; ++seed) {
        char text[64];
        uint32_t x = seed * 2654435761u;
        for (size_t k = 0; k < sizeof text - 1; ++k) {
            x = x * 1664525u + 1013904223u;
            text[k] = "\2\3\4\5\6%%s$1.9la "[x >> 28];
        }
        text[sizeof text - 1] = '\0';
        message_unmarshal(out, sizeof out, text);
        assert_true(strlen(out) < sizeof out);
    }
    for (size_t capacity = 1; capacity < 40; ++capacity) { // cut anywhere
        char held[40];
        message_print(held, capacity, "expected %s, found '%s'", _("a label"), "x");
        message_unmarshal(out, sizeof out, held);
        assert_true(strlen(out) <= strlen("expected a label, found 'x'"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_filled_in_comes_back),
        cmocka_unit_test(sentences_fill_sentences),
        cmocka_unit_test(any_bytes_are_told),
    };
    message_marshal();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
