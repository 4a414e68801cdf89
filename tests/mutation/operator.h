// The operators: each finds the places of a source where it applies, and says what stands there instead.
#ifndef MUTATION_OPERATOR_H
#define MUTATION_OPERATOR_H

#include "judge/repair/source.h"

enum operator_id {
#define OPERATOR(id, what) OPERATOR_##id,
#include "operator.def"
#undef OPERATOR
    OPERATORS
};
struct operator_info {
    const char *name, *what;
};
extern const struct operator_info operator_info[OPERATORS];

struct mutant {
    const struct source *source;
    enum operator_id by;
    uint32_t begin, end; // bytes of the source that are replaced
    char *instead;       // owned
    char *label; // the lines as they become, without comments, blanks joined, and "(2)" at the end of a second one that
                 // reads the same: with path and operator it names the mutant. Owned.
    uint32_t line;
};
struct mutants {
    struct mutant *item;
    uint32_t count, capacity;
};

// Adds the mutants of a source, in the order of its text. `skip(data, token)`: 1 where none is wanted.
void operator_apply(const struct source *, struct mutants *, int (*skip)(void *, uint32_t), void *data);
void operator_source(const struct mutant *, struct text *out); // the mutant's whole text
void operator_free(struct mutants *);

// Reads and splits a file; dies when it cannot. Free with source_free().
void operator_read(struct source *, const char *path);

#endif
