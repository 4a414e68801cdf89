// Splits a PTX text into tokens with line and column. Used only inside ptx.
#ifndef PTX_TOKEN_H
#define PTX_TOKEN_H

#include <stddef.h>
#include <stdint.h>

// The kinds of tokens. A token of a single character such as '{' or ';' has this character as its kind.
enum token_kind {
    TOKEN_END = 256,
    TOKEN_WORD,   // identifier or register: add, %r1, $L__BB0_2, _Z3foo
    TOKEN_DOT,    // a word after a dot, which is not part of `text`: .u32, .shared::cta
    TOKEN_NUMBER, // 12, 0x1F, 0f3F800000, 1.5e-3, 7U
    TOKEN_STRING, // without its quotes; escape sequences stay unchanged
    TOKEN_BAD,    // no valid token; `problem` tells why
};
struct token {
    const char *text; // in the source, not NUL-terminated
    uint32_t length;
    uint16_t kind; // enum token_kind, or the character
    uint32_t line, column;
};

// The position in the text; at <= end.
struct token_source {
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    const char *problem; // of the last TOKEN_BAD
};

// Returns the next token and skips it, with comments and blanks before it. Returns TOKEN_END from the end of the text
// on.
struct token token_next(struct token_source *);

// Skips the text up to the '}' that matches a '{' already read, outside of comments and strings. Returns 1, or 0 if
// there is none.
int token_skip_block(struct token_source *);

#endif
