// Measures how similar two sources are, to find copied work. Fingerprints of the token sequence are compared by
// winnowing: Schleimer, Wilkerson, Aiken, "Winnowing: local algorithms for document fingerprinting" (SIGMOD 2003).
// Names, layout and comments do not matter. A high similarity is a reason to look, not a proof: there are few ways to
// write a correct kernel.
#ifndef BATCH_SIMILARITY_H
#define BATCH_SIMILARITY_H

#include <stddef.h>
#include <stdint.h>

// Winnowing finds every common sequence of SIMILARITY_TOKENS + SIMILARITY_WINDOW - 1 tokens, and none shorter than
// SIMILARITY_TOKENS.
enum { SIMILARITY_TOKENS = 10, SIMILARITY_WINDOW = 6 };

// The fingerprints of one source.
struct similarity {
    uint32_t *print; // sorted, without duplicates; malloc'ed
    uint32_t count;
};
// Computes the fingerprints of a source. Free with similarity_free().
void similarity_make(struct similarity *, const char *source, size_t bytes);
void similarity_free(struct similarity *);
// Removes the fingerprints that `common` also has: those of the code that every student was given.
void similarity_subtract(struct similarity *, const struct similarity *common);
enum { SIMILARITY_LEAST = 8 };
// Returns the share of fingerprints in common, from 0 to 1, relative to the source that has fewer. Returns 0 if one
// source has fewer than SIMILARITY_LEAST.
double similarity_of(const struct similarity *, const struct similarity *);

#endif
