// How alike sources are, by winnowing the fingerprints of their tokens: Schleimer, Wilkerson, Aiken, "Winnowing: local
// algorithms for document fingerprinting" (SIGMOD 2003). Names, layout and comments make no difference. What it says is
// a reason to look, and never a verdict: there are few ways to write a right kernel.
#ifndef BATCH_SIMILARITY_H
#define BATCH_SIMILARITY_H

#include <stddef.h>
#include <stdint.h>

// A run of SIMILARITY_TOKENS + SIMILARITY_WINDOW - 1 equal tokens is always found, one shorter than SIMILARITY_TOKENS
// never.
enum { SIMILARITY_TOKENS = 10, SIMILARITY_WINDOW = 6 };

struct similarity {
    uint32_t *print; // sorted, each once; malloc'ed
    uint32_t count;
};
void similarity_make(struct similarity *, const char *source, size_t bytes);
void similarity_free(struct similarity *);
// Takes out what stands in `common` as well: what everybody was given.
void similarity_subtract(struct similarity *, const struct similarity *common);
// The share of the smaller one's fingerprints that the other has as well: 0 … 1. Fewer than SIMILARITY_LEAST say
// nothing.
enum { SIMILARITY_LEAST = 8 };
double similarity_of(const struct similarity *, const struct similarity *);

#endif
