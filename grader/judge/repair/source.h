// Splits a kernel's source into tokens, for repairs and for the operators of mutation. Knows of CUDA C only what it
// takes to tell an expression from a declaration.
#ifndef JUDGE_REPAIR_SOURCE_H
#define JUDGE_REPAIR_SOURCE_H

#include <stdint.h>

#include "base/text.h"

enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SIGN };
enum { NOWHERE = UINT32_MAX };

struct token {
    enum token_kind kind;
    uint32_t begin, end; // bytes of the text
    uint32_t line;       // from 1
    uint32_t mate;       // of a bracket: index of the other one; else NOWHERE
    uint32_t inside;     // index of the bracket around it; NOWHERE: none
    uint8_t defines;     // 1: stands in a #define
    uint8_t is_template; // 1: an angle bracket, not a comparison
};

struct source {
    const char *path; // name for messages, or NULL; not owned
    struct text text;
    struct token *token; // the last one is TOKEN_END
    uint32_t count;      // without it
};

// Splits a text. Returns 0, or -1 if its brackets do not match. Free with source_free() in both cases.
int source_split(struct source *, const char *text, size_t bytes);
void source_free(struct source *);

// Is token t this? Beyond the ends no token is anything. `source_word_begins`: a word with that beginning.
int source_is(const struct source *, uint32_t t, const char *what);
int source_word_begins(const struct source *, uint32_t t, const char *with);
int source_same(const struct source *, uint32_t a, uint32_t b);
// Names in capitals are constants here.
int source_is_constant(const struct source *, uint32_t t);

// The first token of the statement that t stands in, and the ';' at its end (or what closes the bracket around it).
uint32_t source_statement(const struct source *, uint32_t t);
uint32_t source_statement_end(const struct source *, uint32_t t);
// Does the statement that begins at t declare something?
int source_declares(const struct source *, uint32_t t);
// An opening '[' that gives an array's size, not an index.
int source_is_extent(const struct source *, uint32_t t);
// From t on, the first token on its level that is one of the words in `stops` (blank-separated) or closes the level.
uint32_t source_forward(const struct source *, uint32_t t, const char *stops);
// Back from t, the token behind the first one on its level that is one of `stops` or opens the level.
uint32_t source_backward(const struct source *, uint32_t t, const char *stops);

// What a top-level declaration around t says, with the constants it uses: equal for equal functions. 0: t stands in
// none that has a body.
uint64_t source_function(const struct source *, uint32_t t, uint32_t *first);

#endif
