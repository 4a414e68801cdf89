// How alike sources are, by winnowing the fingerprints of their tokens: Schleimer, Wilkerson, Aiken, "Winnowing: local
// algorithms for document fingerprinting" (SIGMOD 2003). Names, layout and comments make no difference. What it says is
// a reason to look, and never a verdict: there are few ways to write a right kernel.
#ifndef BATCH_LIKENESS_H
#define BATCH_LIKENESS_H

#include <stddef.h>
#include <stdint.h>

// A run of LIKENESS_TOKENS + LIKENESS_WINDOW - 1 equal tokens is always found, one shorter than LIKENESS_TOKENS never.
enum { LIKENESS_TOKENS = 10, LIKENESS_WINDOW = 6 };

struct likeness {
    uint32_t *print; // sorted, each once; malloc'ed
    uint32_t count;
};
void likeness_make(struct likeness *, const char *source, size_t bytes);
void likeness_free(struct likeness *);
// Takes out what stands in `common` as well: what everybody was given.
void likeness_less(struct likeness *, const struct likeness *common);
// The share of the smaller one's fingerprints that the other has as well: 0 … 1. Fewer than LIKENESS_LEAST say nothing.
enum { LIKENESS_LEAST = 8 };
double likeness_of(const struct likeness *, const struct likeness *);

#endif
