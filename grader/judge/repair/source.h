// Splits a kernel's source into tokens, for repairs (repair.h) and for the tests that mutate kernels. The functions of
// source.h know only so much of CUDA C as is necessary to tell an expression from a declaration.
#ifndef JUDGE_REPAIR_SOURCE_H
#define JUDGE_REPAIR_SOURCE_H

#include <stdint.h>

#include "base/text_struct.h"

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

// Splits a text. Returns 0, or -1 if the brackets of the text do not match. The caller frees the source with
// source_free(), whatever the result is.
int source_split(struct source *, const char *text, size_t bytes);
void source_free(struct source *);

// Returns 1 if token t has the text `what`, otherwise 0. For an index outside of the list of tokens,
// source_is() and source_word_begins() return 0. The function source_word_begins() returns 1 if token t is a word that
// begins with `with`.
int source_is(const struct source *, uint32_t t, const char *what);
int source_word_begins(const struct source *, uint32_t t, const char *with);
int source_same(const struct source *, uint32_t a, uint32_t b);
// Returns 1 if token t is a name in capital letters, which counts as the name of a constant.
int source_is_constant(const struct source *, uint32_t t);

// The function source_statement() returns the first token of the statement that contains token t. The function
// source_statement_end() returns the ';' at this statement's end, or the bracket that closes around the statement.
uint32_t source_statement(const struct source *, uint32_t t);
uint32_t source_statement_end(const struct source *, uint32_t t);
// Returns 1 if the statement that begins at token t is a declaration.
int source_declares(const struct source *, uint32_t t);
// Returns 1 if token t is a '[' before an array's size in a declaration, and not before an index.
int source_is_extent(const struct source *, uint32_t t);
// Searches forwards from token t, outside of inner brackets. Returns the first token that is one of the blank-separated
// words in `stops` or closes the bracket around t.
uint32_t source_forward(const struct source *, uint32_t t, const char *stops);
// Searches backwards from token t, outside of inner brackets, for a token that is one of the words in `stops` or opens
// the bracket around t. Returns the token behind the token that was found.
uint32_t source_backward(const struct source *, uint32_t t, const char *stops);

// Returns a hash of the top-level function around token t and of the constants that it uses, so that equal functions
// have equal hashes. Returns 0 if t is in no function with a body.
uint64_t source_function(const struct source *, uint32_t t, uint32_t *first);

#endif
