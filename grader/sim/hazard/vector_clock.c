// Joins and queries vector clocks; vector_clock.h has the contracts. The entries of a vector clock are sorted. Because
// the entries are sorted, two vector clocks are joined by merging their entries, and a query of a vector clock takes at
// most three binary searches. A synchronisation usually raises a single stamp of a vector clock with only one
// reference, which takes one binary search. Where all blocks of a grid have synchronised, a vector clock has one entry
// for each other block, or one for each of its threads: find() looks first where the block's entries then lie.
#include "sim/hazard/vector_clock.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

// Returns a vector clock with one reference and room for `count` entries. The caller must set the entries of the
// returned vector clock.
static struct vector_clock *vector_new(uint32_t count)
{
    struct vector_clock *v = alloc_bytes(sizeof *v + count * sizeof *v->entry);
    v->references = 1;
    v->count = v->capacity = count;
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

static uint64_t block_of(uint64_t who)
{
    return who >> BLOCK_SHIFT;
}

// Returns the index of the vector clock's first entry whose key (the number that stands for a set of threads) is at
// least `who`. Returns v->count if the keys of all entries are smaller than `who`.
static uint32_t find(const struct vector_clock *v, uint64_t who)
{
    uint32_t low = 0, high = v->count;
    if (!high || v->entry[high - 1].who < who) return high;
    uint64_t first = block_of(v->entry[0].who), blocks = block_of(v->entry[high - 1].who) - first + 1;
    uint64_t guess = block_of(who) > first ? (block_of(who) - first) * high / blocks : 0, near = 2 + high / blocks;
    uint32_t from = (uint32_t)(guess > near ? guess - near : 0),
             to = (uint32_t)(guess + near < high ? guess + near : high);
    if (!from || v->entry[from - 1].who < who) low = from;
    if (to == high || v->entry[to].who >= who) high = to;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (v->entry[middle].who < who)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

// Returns the stamp in the vector clock's entry for the set of threads with the key `who`, or 0 if the vector clock has
// no such entry.
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
    uint32_t end = find(v, vector_clock_block(block)); // the entries of the block's threads and warps lie before it
    if (end < v->count && v->entry[end].who == vector_clock_block(block) && stamp <= v->entry[end].stamp) return 1;
    if (!end || block_of(v->entry[end - 1].who) != block) return !stamp;
    return stamp <= stamp_of(v, vector_clock_thread(block, thread)) ||
           stamp <= stamp_of(v, vector_clock_warp(block, thread / WARP_LANES));
}

// Describes how two vector clocks differ: which of the two has an entry that the other lacks, and which has a later
// stamp for a set of threads of both.
struct comparison {
    uint32_t keys;        // number of keys in either clock
    int first_has_later;  // 1: the first clock knows accesses that the second does not know
    int second_has_later; // 1: the second clock knows accesses that the first does not know
    int second_has_more;  // 1: the second clock has a key that the first lacks
};
static struct comparison compare(const struct vector_clock *a, const struct vector_clock *b)
{
    struct comparison c = {0};
    uint32_t i = 0, k = 0;
    for (; i < a->count && k < b->count; c.keys++) {
        const struct vector_clock_entry *x = &a->entry[i], *y = &b->entry[k];
        i += x->who <= y->who;
        k += y->who <= x->who;
        c.first_has_later |= x->who < y->who || (x->who == y->who && x->stamp > y->stamp);
        c.second_has_later |= y->who < x->who || (x->who == y->who && y->stamp > x->stamp);
        c.second_has_more |= y->who < x->who;
    }
    c.keys += a->count - i + b->count - k;
    c.first_has_later |= i < a->count;
    c.second_has_later |= k < b->count;
    c.second_has_more |= k < b->count;
    return c;
}

// Raises each stamp of vector clock a to the stamp that vector clock b has for the same set of threads, if the stamp in
// b is larger. Vector clock a must have an entry for each set of threads (key) in b.
static void raise_all(struct vector_clock *a, const struct vector_clock *b)
{
    for (uint32_t i = 0, k = 0; k < b->count; i++) {
        if (a->entry[i].who != b->entry[k].who) continue;
        if (a->entry[i].stamp < b->entry[k].stamp) a->entry[i].stamp = b->entry[k].stamp;
        k++;
    }
}

// Returns a new vector clock with an entry for each set of threads (key) that vector clock a or b has, with the later
// of the two stamps. The argument `keys` is the number of different keys in a and b together.
static struct vector_clock *merge(const struct vector_clock *a, const struct vector_clock *b, uint32_t keys)
{
    struct vector_clock *v = vector_new(keys);
    for (uint32_t n = 0, i = 0, k = 0; n < keys; n++) {
        const struct vector_clock_entry *x = i < a->count ? &a->entry[i] : NULL;
        const struct vector_clock_entry *y = k < b->count ? &b->entry[k] : NULL;
        int first = x && (!y || x->who <= y->who), second = y && (!x || y->who <= x->who);
        v->entry[n] = first ? *x : *y;
        if (first && second && y->stamp > x->stamp) v->entry[n].stamp = y->stamp;
        i += (uint32_t)first;
        k += (uint32_t)second;
    }
    return v;
}

int vector_clock_join(struct vector_clock **at, struct vector_clock *more)
{
    struct vector_clock *a = *at;
    if (a == more || !more) return 0;
    struct comparison c = a ? compare(a, more) : (struct comparison){.second_has_later = 1};
    if (!c.second_has_later) return 0;
    if (c.first_has_later && a->references == 1 && !c.second_has_more) {
        raise_all(a, more);
        return 1;
    }
    *at = c.first_has_later ? merge(a, more, c.keys) : vector_clock_keep(more);
    vector_clock_drop(a);
    return 1;
}

int vector_clock_raise(struct vector_clock **at, uint64_t who, uint32_t stamp)
{
    struct vector_clock *v = *at;
    if (!stamp) return 0;
    uint32_t count = v ? v->count : 0, place = v ? find(v, who) : 0;
    int has = place < count && v->entry[place].who == who;
    if (has && v->entry[place].stamp >= stamp) return 0;
    if (!v || v->references > 1 || (!has && count == v->capacity)) { // copies the clock, with room for more keys
        struct vector_clock *copy = vector_new(has ? count : count + count / 2 + 4);
        copy->count = count;
        if (v) memcpy(copy->entry, v->entry, count * sizeof *v->entry);
        vector_clock_drop(v);
        *at = v = copy;
    }
    struct vector_clock_entry *e = &v->entry[place];
    if (!has) memmove(e + 1, e, (v->count++ - place) * sizeof *e);
    *e = (struct vector_clock_entry){who, stamp};
    return 1;
}
