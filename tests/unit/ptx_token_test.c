// The tokens of a text: kinds, slices, lines and columns, and characters that are no token.
#include "ptx_fixture.h"

#include "ptx/token.h"

static struct token_source source_of(const char *text)
{
    return (struct token_source){.at = text, .end = text + strlen(text), .line_start = text, .line = 1};
}

static void expect(struct token_source *s, int kind, const char *text, unsigned line, unsigned column)
{
    struct token t = token_next(s);
    assert_int_equal(t.kind, kind);
    assert_int_equal(t.length, strlen(text));
    assert_memory_equal(t.text, text, t.length);
    assert_int_equal(t.line, line);
    assert_int_equal(t.column, column);
}

static void words_have_kind_and_place(void **state)
{
    (void)state;
    struct token_source s =
        source_of("add.s32\t%r1, $L__BB0_2;\n  @!p ld.shared::cta.b8 {_Z3foo}|[a+4]\r\n\"a \\\" b\"");
    expect(&s, TOKEN_WORD, "add", 1, 1);
    expect(&s, TOKEN_DOT, "s32", 1, 4);
    expect(&s, TOKEN_WORD, "%r1", 1, 9);
    expect(&s, ',', ",", 1, 12);
    expect(&s, TOKEN_WORD, "$L__BB0_2", 1, 14);
    expect(&s, ';', ";", 1, 23);
    expect(&s, '@', "@", 2, 3);
    expect(&s, '!', "!", 2, 4);
    expect(&s, TOKEN_WORD, "p", 2, 5);
    expect(&s, TOKEN_WORD, "ld", 2, 7);
    expect(&s, TOKEN_DOT, "shared::cta", 2, 9);
    expect(&s, TOKEN_DOT, "b8", 2, 21);
    expect(&s, '{', "{", 2, 25);
    expect(&s, TOKEN_WORD, "_Z3foo", 2, 26);
    expect(&s, '}', "}", 2, 32);
    expect(&s, '|', "|", 2, 33);
    expect(&s, '[', "[", 2, 34);
    expect(&s, TOKEN_WORD, "a", 2, 35);
    expect(&s, '+', "+", 2, 36);
    expect(&s, TOKEN_NUMBER, "4", 2, 37);
    expect(&s, ']', "]", 2, 38);
    expect(&s, TOKEN_STRING, "a \\\" b", 3, 1);
    expect(&s, TOKEN_END, "", 3, 9);
    expect(&s, TOKEN_END, "", 3, 9);
}

static void numbers_keep_their_spelling(void **state)
{
    (void)state;
    static const char *const numbers[] = {
        "0",   "12",  "0x1F",   "0b101", "017",  "7U", "0f3F800000", "0d3FF0000000000000",
        "1.5", "1e9", "1.5e-3", "2E+7",  "12abc"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; ++i) {
        struct token_source s = source_of(numbers[i]);
        expect(&s, TOKEN_NUMBER, numbers[i], 1, 1);
        expect(&s, TOKEN_END, "", 1, (unsigned)strlen(numbers[i]) + 1);
    }
    struct token_source s = source_of("1.x 1e 0.f32");
    expect(&s, TOKEN_NUMBER, "1", 1, 1);
    expect(&s, TOKEN_DOT, "x", 1, 2);
    expect(&s, TOKEN_NUMBER, "1e", 1, 5);
    expect(&s, TOKEN_NUMBER, "0", 1, 8);
    expect(&s, TOKEN_DOT, "f32", 1, 9);
}

static void comments_are_blanks(void **state)
{
    (void)state;
    struct token_source s = source_of("a // b \" /*\n/* c\n * // d */ e /**/ /***/f//");
    expect(&s, TOKEN_WORD, "a", 1, 1);
    expect(&s, TOKEN_WORD, "e", 3, 12);
    expect(&s, TOKEN_WORD, "f", 3, 24);
    expect(&s, TOKEN_END, "", 3, 27);
}

static void what_is_no_word_says_why(void **state)
{
    (void)state;
    static const struct {
        const char *text, *problem;
    } bad[] = {
        {"/* open", "a comment does not end"},
        {"/*/", "a comment does not end"},
        {"\"open\n\"", "a string does not end on its line"},
        {"\"open\\", "a string does not end on its line"},
        {"#", "a character that PTX does not know"},
        {"\x80", "a character that PTX does not know"},
        {".", "a character that PTX does not know"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; ++i) {
        struct token_source s = source_of(bad[i].text);
        assert_int_equal(token_next(&s).kind, TOKEN_BAD);
        assert_string_equal(s.problem, bad[i].problem);
    }
    const char zero[] = "a\0b";
    struct token_source s = {.at = zero, .end = zero + 3, .line_start = zero, .line = 1};
    expect(&s, TOKEN_WORD, "a", 1, 1);
    assert_int_equal(token_next(&s).kind, TOKEN_BAD);
    expect(&s, TOKEN_WORD, "b", 1, 3);
}

static void blocks_are_skipped_whole(void **state)
{
    (void)state;
    struct token_source s = source_of(" { \"}\" // }\n /* } */ {} } } x");
    assert_int_equal(token_skip_block(&s), 1);
    expect(&s, TOKEN_WORD, "x", 2, 17);
    s = source_of("{ }");
    assert_int_equal(token_skip_block(&s), 0);
    s = source_of("\"} \n }");
    assert_int_equal(token_skip_block(&s), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_have_kind_and_place), cmocka_unit_test(numbers_keep_their_spelling),
        cmocka_unit_test(comments_are_blanks),       cmocka_unit_test(what_is_no_word_says_why),
        cmocka_unit_test(blocks_are_skipped_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
