// Words of a PTX text, with line and column. Private to ptx/.
#ifndef PTX_TOKEN_H
#define PTX_TOKEN_H

#include <stddef.h>
#include <stdint.h>

// Single characters are their own kind ('{', ';', …); the rest starts above them.
enum token_kind {
    TOKEN_END = 256,
    TOKEN_WORD,   // identifier or register: add, %r1, $L__BB0_2, _Z3foo
    TOKEN_DOT,    // a word behind a dot, which `text` leaves out: .u32, .shared::cta
    TOKEN_NUMBER, // 12, 0x1F, 0f3F800000, 1.5e-3, 7U
    TOKEN_STRING, // without its quotes; escapes are left as they are
    TOKEN_BAD,    // what cannot be a word; `problem` says why
};
struct token {
    const char *text; // in the source, not NUL-terminated
    uint32_t length;
    uint16_t kind; // enum token_kind, or the character
    uint32_t line, column;
};

// Where reading stands. `at` never passes `end`.
struct token_source {
    const char *at, *end;
    const char *line_start;
    uint32_t line;
    const char *problem; // of the last TOKEN_BAD
};

// The next token; comments and blanks are skipped. TOKEN_END again and again at the end.
struct token token_next(struct token_source *);

// Skips to behind the '}' that matches a '{' already read, comments and strings respected; 0 if there is none.
int token_skip_block(struct token_source *);

#endif
