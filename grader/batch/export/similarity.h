// Measures the similarity of two sources in order to find copied work. The functions compare fingerprints of token
// sequences, which are selected by winnowing (Schleimer, Wilkerson, Aiken, "Winnowing: local algorithms for document
// fingerprinting", SIGMOD 2003). Names, layout and comments have no influence on the similarity. A high similarity is a
// reason to look at both sources. A high similarity proves nothing, because a correct kernel can be written in only a
// few ways.
#ifndef BATCH_EXPORT_SIMILARITY_H
#define BATCH_EXPORT_SIMILARITY_H

#include <stddef.h>
#include <stdint.h>

// Winnowing finds every common sequence of two sources with at least SIMILARITY_TOKENS + SIMILARITY_WINDOW - 1 tokens.
// Winnowing finds no common sequence of fewer than SIMILARITY_TOKENS tokens.
enum { SIMILARITY_TOKENS = 10, SIMILARITY_WINDOW = 6 };

// Fingerprints of one source.
struct similarity {
    uint32_t *print; // sorted, without duplicates; malloc'ed
    uint32_t count;
};
// Computes the fingerprints of a source text. The caller frees the fingerprints with similarity_free().
void similarity_make(struct similarity *, const char *source, size_t bytes);
void similarity_free(struct similarity *);
// Removes from a source's fingerprints those that `common` also contains. `common` holds the fingerprints of the code
// that every student was given.
void similarity_subtract(struct similarity *, const struct similarity *common);
enum { SIMILARITY_LEAST = 8 };
// Returns the similarity of two sources: the number of common fingerprints divided by the smaller of the two numbers of
// fingerprints. The similarity is a number from 0 to 1. Returns 0 if one of the sources has fewer than SIMILARITY_LEAST
// fingerprints.
double similarity_of(const struct similarity *, const struct similarity *);

#endif
