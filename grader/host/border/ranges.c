// Implements sets of addresses as sorted arrays of ranges. To add a range to a set, ranges_add() first removes the
// range, and then inserts it, merged with the ranges that touch it.
#include "host/border/ranges.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

// Returns the index of the first range in the set that ends after the given address.
static uint32_t first_behind(const struct ranges *r, uint64_t address)
{
    uint32_t low = 0, high = r->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (r->range[middle].to > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

// Replaces the `old` ranges of the set that begin at index i by the `count` ranges in `with`.
static void replace(struct ranges *r, uint32_t i, uint32_t old, const struct range *with, uint32_t count)
{
    ALLOC_GROW(r->range, r->room, r->count + count);
    memmove(r->range + i + count, r->range + i + old, (r->count - i - old) * sizeof *r->range);
    if (count) memcpy(r->range + i, with, count * sizeof *with);
    r->count += count - old;
}

void ranges_remove(struct ranges *r, uint64_t from, uint64_t to)
{
    struct range left[2];
    uint32_t i = first_behind(r, from), end = i, count = 0;
    while (end < r->count && r->range[end].from < to) ++end;
    if (from >= to || i == end) return;
    if (r->range[i].from < from) left[count++] = (struct range){r->range[i].from, from};
    if (r->range[end - 1].to > to) left[count++] = (struct range){to, r->range[end - 1].to};
    replace(r, i, end - i, left, count);
}

void ranges_add(struct ranges *r, uint64_t from, uint64_t to)
{
    if (from >= to) return;
    ranges_remove(r, from, to);
    uint32_t i = first_behind(r, from), first = i, old = 0;
    struct range all = {from, to};
    if (i && r->range[i - 1].to == from) all.from = r->range[--first].from, ++old;
    if (i < r->count && r->range[i].from == to) all.to = r->range[i].to, ++old;
    replace(r, first, old, &all, 1);
}

int ranges_have(const struct ranges *r, uint64_t from, uint64_t to)
{
    uint32_t i = first_behind(r, from);
    return from >= to || (i < r->count && r->range[i].from <= from && r->range[i].to >= to);
}

void ranges_free(struct ranges *r)
{
    free(r->range);
    *r = (struct ranges){0};
}
