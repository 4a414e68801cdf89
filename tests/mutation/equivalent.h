// The list of mutants that are no defects, each with its reason.
#ifndef MUTATION_EQUIVALENT_H
#define MUTATION_EQUIVALENT_H

#include <stdint.h>

#include "base/text_struct.h"

struct equivalent {
    const char *path, *by, *label, *reason; // in the list's own text
    uint32_t line;
    int used; // it names a mutant that survived, or that is the same code
};
struct equivalents {
    const char *path; // not owned
    struct text text;
    struct equivalent *item;
    uint32_t count;
};

// Dies on a list that is not of its form. Free with equivalent_free.
void equivalent_read(struct equivalents *, const char *path);
struct equivalent *equivalent_find(const struct equivalents *, const char *path, const char *by, const char *label);
void equivalent_free(struct equivalents *);

#endif
