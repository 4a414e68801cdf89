// This file defines a set of addresses. A set of addresses is a sorted array of ranges that neither overlap nor touch.
// A sorted array suits sets of few ranges, because a change of the set may move all ranges.
#ifndef HOST_BORDER_RANGES_H
#define HOST_BORDER_RANGES_H

#include <stdint.h>

struct range {
    uint64_t from, to; // `to` is the first address after the range
};
struct ranges { // all zero: the empty set
    struct range *range;
    uint32_t count, room;
};

// ranges_add() adds [from, to) to the set, and ranges_remove() removes [from, to). The functions ranges_add() and
// ranges_remove() do nothing if [from, to) is empty.
void ranges_add(struct ranges *, uint64_t from, uint64_t to);
void ranges_remove(struct ranges *, uint64_t from, uint64_t to);
// Returns 1 if all addresses of [from, to) are in the set. For an empty range, ranges_have() returns 1.
int ranges_have(const struct ranges *, uint64_t from, uint64_t to);
// Frees the array of ranges. The set becomes empty.
void ranges_free(struct ranges *);

#endif
