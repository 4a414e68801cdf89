// Splits a PTX text into tokens with line and column. Apart from tests, only files in grader/ptx include token.h.
#ifndef PTX_TOKEN_H
#define PTX_TOKEN_H

#include <stddef.h>
#include <stdint.h>

// enum token_kind lists the kinds of tokens. The kind of a token that is a single character, such as '{' or ';', is
// this character.
enum token_kind {
    TOKEN_END = 256,
    TOKEN_WORD,   // identifier or register: add, %r1, $L__BB0_2, _Z3foo
    TOKEN_DOT,    // word after a dot: .u32, .shared::cta; the dot is not part of `text`
    TOKEN_NUMBER, // number: 12, 0x1F, 0f3F800000, 1.5e-3, 7U
    TOKEN_STRING, // string without its quotes; escape sequences stay unchanged
    TOKEN_BAD,    // not a valid token; token_source.problem holds the reason
};
struct token {
    const char *text; // slice of the source text; not NUL-terminated
    uint32_t length;
    uint16_t kind; // enum token_kind, or the character
    uint32_t line, column;
};

// Holds the tokenizer's current position `at` in the PTX text, which ends at `end`.
struct token_source {
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    const char *problem; // reason of the last TOKEN_BAD
};

// Returns the next token and moves the position behind this token. Comments and blanks before the token are skipped.
// Returns TOKEN_END at the end of the text.
struct token token_next(struct token_source *);

// Skips the text up to the '}' that matches a '{' already read. Braces in comments and strings are ignored. Returns 1,
// or 0 if the matching '}' is missing.
int token_skip_block(struct token_source *);

#endif
