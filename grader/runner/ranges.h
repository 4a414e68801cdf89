// A set of addresses, kept as a sorted array of ranges that neither overlap nor touch. It is made for few ranges.
#ifndef RUNNER_RANGES_H
#define RUNNER_RANGES_H

#include <stdint.h>

struct range {
    uint64_t from, to; // `to` is the first address after the range
};
struct ranges { // all zero: the empty set
    struct range *range;
    uint32_t count, room;
};

// Add and remove [from, to); nothing happens if it is empty.
void ranges_add(struct ranges *, uint64_t from, uint64_t to);
void ranges_remove(struct ranges *, uint64_t from, uint64_t to);
// Returns 1 if all of [from, to) is in the set; an empty range is in every set.
int ranges_have(const struct ranges *, uint64_t from, uint64_t to);
// Frees the ranges; the set becomes empty.
void ranges_free(struct ranges *);

#endif
