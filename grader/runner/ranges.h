// A set of addresses as ranges: sorted, apart from each other. Few at a time, so an array.
#ifndef RUNNER_RANGES_H
#define RUNNER_RANGES_H

#include <stdint.h>

struct range {
    uint64_t from, to; // to: behind the end
};
struct ranges {
    struct range *range;
    uint32_t count, room;
};

void ranges_add(struct ranges *, uint64_t from, uint64_t to);
void ranges_remove(struct ranges *, uint64_t from, uint64_t to);
// 1: all of it is in the set; an empty range is in every set.
int ranges_have(const struct ranges *, uint64_t from, uint64_t to);
void ranges_free(struct ranges *);

#endif
