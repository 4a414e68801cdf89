// Joins and queries vector clocks; vector_clock.h has the contracts. The entries of a vector clock are sorted. So the
// join of two clocks is a merge, and a query takes at most three binary searches.
#include "sim/hazard/vector_clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

// Returns a clock with one reference and room for `count` entries. The caller must set the clock's entries.
static struct vector_clock *vector_new(uint32_t count)
{
    struct vector_clock *v = alloc_bytes(sizeof *v + count * sizeof *v->entry);
    v->references = 1;
    v->count = count;
    return v;
}

struct vector_clock *vector_clock_keep(struct vector_clock *v)
{
    if (v) v->references++;
    return v;
}

void vector_clock_drop(struct vector_clock *v)
{
    if (v && --v->references == 0) free(v);
}

// Returns the index of the clock's first entry whose key is at least `who`, or v->count if the clock has no such entry.
static uint32_t find(const struct vector_clock *v, uint64_t who)
{
    uint32_t low = 0, high = v->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (v->entry[middle].who < who)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Returns the stamp of the clock's entry with key `who`, or 0 if the clock has no such entry.
static uint32_t stamp_of(const struct vector_clock *v, uint64_t who)
{
    uint32_t at = find(v, who);
    return at < v->count && v->entry[at].who == who ? v->entry[at].stamp : 0;
}

int vector_clock_has_block(const struct vector_clock *v, uint64_t block)
{
    if (!v) return 0;
    uint32_t at = find(v, vector_clock_thread(block, 0));
    return at < v->count && v->entry[at].who <= vector_clock_block(block);
}

int vector_clock_knows(const struct vector_clock *v, uint64_t block, uint32_t thread, uint32_t stamp)
{
    if (!v) return 0;
    return stamp <= stamp_of(v, vector_clock_block(block)) ||
           stamp <= stamp_of(v, vector_clock_thread(block, thread)) ||
           stamp <= stamp_of(v, vector_clock_warp(block, thread / WARP_LANES));
}

// Returns 1 if clock a has every key of clock b, each with an equal or later stamp.
static int includes(const struct vector_clock *a, const struct vector_clock *b)
{
    uint32_t i = 0;
    for (uint32_t k = 0; k < b->count; k++) {
        while (i < a->count && a->entry[i].who < b->entry[k].who) i++;
        if (i == a->count || a->entry[i].who != b->entry[k].who || a->entry[i].stamp < b->entry[k].stamp) return 0;
    }
    return 1;
}

struct vector_clock *vector_clock_join(struct vector_clock *a, struct vector_clock *b)
{
    if (a == b || !b) return vector_clock_keep(a);
    if (!a) return vector_clock_keep(b);
    if (includes(a, b)) return vector_clock_keep(a);
    if (includes(b, a)) return vector_clock_keep(b);
    struct vector_clock *v = vector_new(a->count + b->count);
    uint32_t n = 0, i = 0, k = 0;
    while (i < a->count || k < b->count) {
        if (k == b->count || (i < a->count && a->entry[i].who < b->entry[k].who)) {
            v->entry[n++] = a->entry[i++];
        } else if (i == a->count || b->entry[k].who < a->entry[i].who) {
            v->entry[n++] = b->entry[k++];
        } else {
            v->entry[n] = a->entry[i++];
            if (b->entry[k].stamp > v->entry[n].stamp) v->entry[n].stamp = b->entry[k].stamp;
            n++, k++;
        }
    }
    v->count = n;
    return v;
}

void vector_clock_draft_add(struct vector_clock_draft *d, uint64_t who, uint32_t stamp)
{
    if (!stamp) return;
    ALLOC_GROW(d->entry, d->capacity, d->count + 1);
    d->entry[d->count++] = (struct vector_clock_entry){who, stamp};
}

void vector_clock_draft_join(struct vector_clock_draft *d, const struct vector_clock *v)
{
    for (uint32_t i = 0; v && i < v->count; i++) vector_clock_draft_add(d, v->entry[i].who, v->entry[i].stamp);
}

// Orders the entries of a draft by key, and entries with equal keys by descending stamp.
static int by_who(const void *x, const void *y)
{
    const struct vector_clock_entry *a = x, *b = y;
    if (a->who != b->who) return a->who < b->who ? -1 : 1;
    return a->stamp < b->stamp ? 1 : a->stamp > b->stamp ? -1 : 0; // the latest first
}

struct vector_clock *vector_clock_make(struct vector_clock_draft *d)
{
    if (!d->count) return NULL;
    qsort(d->entry, d->count, sizeof *d->entry, by_who);
    uint32_t n = 1;
    for (uint32_t i = 1; i < d->count; i++) {
        if (d->entry[i].who != d->entry[n - 1].who) d->entry[n++] = d->entry[i];
    }
    struct vector_clock *v = vector_new(n);
    memcpy(v->entry, d->entry, n * sizeof *v->entry);
    d->count = 0;
    return v;
}

void vector_clock_draft_free(struct vector_clock_draft *d)
{
    free(d->entry);
    *d = (struct vector_clock_draft){0};
}
