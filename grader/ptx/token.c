// Splits a PTX text into tokens (see token.h). The tokenizer reads the PTX text in one pass with a table of character
// classes. The tokenizer allocates no memory, because a token is a slice of the text. Every loop of the tokenizer
// compares the position with `end` before reading, so the text needs no terminator.
#include "ptx/token.h"

#include <string.h>

enum { BLANK = 1, DIGIT = 2, LETTER = 4, ALPHANUMERIC = DIGIT | LETTER };
static const uint8_t class_of[256] = {
    [' '] = BLANK,  ['\t'] = BLANK,        ['\r'] = BLANK,         ['\v'] = BLANK,
    ['\f'] = BLANK, ['0' ... '9'] = DIGIT, ['a' ... 'z'] = LETTER, ['A' ... 'Z'] = LETTER,
    ['_'] = LETTER, ['$'] = LETTER,        ['%'] = LETTER,
};

static int is(const struct token_source *s, const char *at, int classes)
{
    return at < s->end && (class_of[(unsigned char)*at] & classes);
}

static void new_line(struct token_source *s)
{
    ++s->line;
    s->line_start = s->at;
}

// Skips the rest of a comment after its "/*". Returns 1, or 0 if the comment has no end.
static int skip_comment(struct token_source *s)
{
    for (s->at += 2; s->at < s->end; ++s->at) {
        if (*s->at == '\n') {
            ++s->line;
            s->line_start = s->at + 1;
        } else if (*s->at == '*' && s->end - s->at > 1 && s->at[1] == '/') {
            s->at += 2;
            return 1;
        }
    }
    return 0;
}

// Skips blanks, line ends and comments. Returns 1, or 0 if a comment has no end.
static int skip_blank(struct token_source *s)
{
    for (;;) {
        while (is(s, s->at, BLANK)) ++s->at;
        if (s->at == s->end) return 1;
        if (*s->at == '\n') {
            ++s->at;
            new_line(s);
        } else if (*s->at == '/' && s->end - s->at > 1 && s->at[1] == '/') {
            const char *newline = memchr(s->at, '\n', (size_t)(s->end - s->at));
            s->at = newline ? newline : s->end;
        } else if (*s->at == '/' && s->end - s->at > 1 && s->at[1] == '*') {
            if (!skip_comment(s)) return 0;
        } else {
            return 1;
        }
    }
}

// Skips a string up to its closing quote. Returns 1, or 0 if the line ends before the closing quote.
static int skip_string(struct token_source *s)
{
    for (++s->at; s->at < s->end && *s->at != '\n'; ++s->at) {
        if (*s->at == '"') {
            ++s->at;
            return 1;
        }
        if (*s->at == '\\' && s->end - s->at > 1 && s->at[1] != '\n') ++s->at;
    }
    return 0;
}

static const char *number_end(const struct token_source *s)
{
    const char *p = s->at;
    int prefixed = *p == '0' && s->end - p > 1 && strchr("xXbBfFdD", p[1]) && p[1];
    if (prefixed) {
        for (p += 2; is(s, p, ALPHANUMERIC); ++p) {
        }
        return p;
    }
    while (is(s, p, DIGIT)) ++p;
    if (p < s->end && *p == '.' && is(s, p + 1, DIGIT))
        for (++p; is(s, p, DIGIT); ++p) {
        }
    if (p < s->end && (*p == 'e' || *p == 'E')) {
        const char *exponent = p + 1;
        if (exponent < s->end && (*exponent == '+' || *exponent == '-')) ++exponent;
        if (is(s, exponent, DIGIT))
            for (p = exponent; is(s, p, DIGIT); ++p) {
            }
    }
    while (is(s, p, ALPHANUMERIC)) ++p; // the token includes the number's suffix, which constant.c checks
    return p;
}

static const char *dotted_end(const struct token_source *s)
{
    const char *p = s->at + 1;
    for (;;) {
        while (is(s, p, ALPHANUMERIC)) ++p;
        if (s->end - p > 2 && p[0] == ':' && p[1] == ':' && is(s, p + 2, ALPHANUMERIC))
            p += 2;
        else
            return p;
    }
}

static struct token bad(struct token_source *s, struct token t, const char *problem)
{
    t.kind = TOKEN_BAD;
    s->problem = problem;
    return t;
}

struct token token_next(struct token_source *s)
{
    int complete = skip_blank(s);
    struct token t = {.text = s->at, .line = s->line, .column = (uint32_t)(s->at - s->line_start) + 1};
    if (!complete) return bad(s, t, "a comment does not end");
    if (s->at == s->end) {
        t.kind = TOKEN_END;
        return t;
    }
    int class = class_of[(unsigned char)*s->at];
    if (class & LETTER) {
        t.kind = TOKEN_WORD;
        while (is(s, ++s->at, ALPHANUMERIC)) {
        }
    } else if (class & DIGIT) {
        t.kind = TOKEN_NUMBER;
        s->at = number_end(s);
    } else if (*s->at == '.' && is(s, s->at + 1, ALPHANUMERIC)) {
        t.kind = TOKEN_DOT;
        s->at = dotted_end(s);
        ++t.text;
    } else if (*s->at == '"') {
        t.kind = TOKEN_STRING;
        if (!skip_string(s)) return bad(s, t, "a string does not end on its line");
        t.length = (uint32_t)(s->at - ++t.text) - 1;
        return t;
    } else if (strchr("{}()[]<>;:,+-*/%!~|&^@=", *s->at) && *s->at) {
        t.kind = (unsigned char)*s->at++;
    } else {
        ++s->at;
        return bad(s, t, "a character that PTX does not know");
    }
    t.length = (uint32_t)(s->at - t.text);
    return t;
}

int token_skip_block(struct token_source *s)
{
    for (uint64_t depth = 1; skip_blank(s) && s->at < s->end;) {
        if (*s->at == '"') {
            if (!skip_string(s)) return 0;
            continue;
        }
        if (*s->at == '{') ++depth;
        if (*s->at++ == '}' && --depth == 0) return 1;
    }
    return 0;
}
