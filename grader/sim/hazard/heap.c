// Implements the table of heap blocks; heap.h has the contracts.
//
// Theory of operation. The heap is divided into units of 16 bytes. A heap block takes one unit (16 bytes) that
// separates it from the heap block before, and then the units of its bytes. The array `owner` names, for each 16-byte
// unit of the heap, the latest heap block that took the unit. A freed heap block is therefore known until other heap
// blocks take its memory. The search for free memory begins behind the heap block that was allocated last, and wraps
// around at the end of the heap (next fit; Knuth, The Art of Computer Programming, vol. 1, 2.5). Freed memory is
// therefore taken again as late as possible, and most accesses to freed memory are recognised. The `struct record` of a
// freed heap block is reused when later heap blocks have taken all of its memory. Adjacent freed heap blocks need not
// be merged, because the search for free memory goes through the 16-byte units of the heap one by one.
#include "sim/hazard/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { UNIT = HEAP_ALIGNMENT };

struct record {
    struct heap_block block;
    uint32_t first, units; // units of the heap block, with the unit that separates it
    uint32_t owned;        // units that no other heap block has taken since
    uint32_t alive;        // 1: not freed
};

// Holds the state of a heap that heap_save() copies and heap_restore() brings back.
struct table {
    uint32_t *owner; // [units]: number of a record plus one; 0: the unit was never taken
    struct record *record;
    uint32_t count, capacity;
    uint32_t *spare; // [count]: stack of records that own no unit
    uint32_t spares, spare_capacity;
    uint32_t next;     // unit at which the next search begins
    uint32_t top;      // units from here on were never taken
    uint32_t hopeless; // smallest number of units that was not found since the latest free; 0: unknown
};

struct heap {
    uint32_t units;
    struct table now, saved;
};

struct heap *heap_new(uint64_t bytes)
{
    struct heap *h = alloc_zeroed(1, sizeof *h);
    h->units = bytes / UNIT < UINT32_MAX ? (uint32_t)(bytes / UNIT) : UINT32_MAX;
    h->now.owner = alloc_zeroed((uint64_t)h->units + 1, sizeof *h->now.owner);
    return h;
}

static void drop(struct table *t)
{
    free(t->owner);
    free(t->record);
    free(t->spare);
    memset(t, 0, sizeof *t);
}

void heap_free(struct heap *h)
{
    if (!h) return;
    drop(&h->now);
    drop(&h->saved);
    free(h);
}

// ---------------------------------------------------------------- take and give

// Returns the index of the first of `units` consecutive free 16-byte units of the heap in [from, to), or `to` if this
// range has no free sequence of that length. Adds the number of search steps to *steps.
static uint32_t find_free(const struct table *t, uint32_t from, uint32_t to, uint32_t units, uint64_t *steps)
{
    uint32_t first = from;
    for (uint32_t u = from; u < to && to - first >= units; ++*steps) {
        if (u >= t->top || u - first >= units) return first;
        const struct record *r = t->owner[u] ? &t->record[t->owner[u] - 1] : NULL;
        if (r && r->alive)
            first = u = r->first + r->units;
        else
            u++;
    }
    return first < to && to - first >= units ? first : to;
}

// Returns the index in t->record of a record for a new heap block: a record whose old heap block owns no memory any
// more, or a newly allocated record.
static uint32_t new_record(struct table *t)
{
    if (t->spares) return t->spare[--t->spares];
    ALLOC_GROW(t->record, t->capacity, t->count + 1);
    return t->count++;
}

// Makes t->record[number] the owner of `units` 16-byte units of the heap, from unit `first` on. A record that loses its
// last unit to t->record[number] goes onto the stack t->spare, to be reused.
static void own(struct table *t, uint32_t number, uint32_t first, uint32_t units)
{
    for (uint32_t u = first; u < first + units; u++) {
        uint32_t before = t->owner[u];
        t->owner[u] = number + 1;
        if (!before || --t->record[before - 1].owned) continue;
        ALLOC_GROW(t->spare, t->spare_capacity, t->spares + 1);
        t->spare[t->spares++] = before - 1;
    }
}

uint64_t heap_take(struct heap *h, uint64_t bytes, const struct finding_place *made, uint64_t *steps)
{
    struct table *t = &h->now;
    if (bytes >= (uint64_t)h->units * UNIT) return HEAP_FULL;
    uint32_t units = (uint32_t)((bytes + UNIT - 1) / UNIT) + 1;
    if (t->hopeless && units >= t->hopeless) return HEAP_FULL;
    uint32_t first = find_free(t, t->next, h->units, units, steps);
    if (first == h->units) first = find_free(t, 0, h->units, units, steps);
    if (first == h->units) {
        t->hopeless = units;
        return HEAP_FULL;
    }
    uint32_t number = new_record(t);
    t->record[number] = (struct record){
        .block = {.offset = (uint64_t)(first + 1) * UNIT, .bytes = bytes, .made = *made},
        .first = first,
        .units = units,
        .owned = units,
        .alive = 1,
    };
    own(t, number, first, units);
    t->next = first + units;
    if (t->top < t->next) t->top = t->next;
    return t->record[number].block.offset;
}

// Returns the struct record of the latest heap block that took the byte at an offset of the heap, or NULL if no heap
// block ever took this byte.
static struct record *record_at(const struct heap *h, uint64_t offset)
{
    const struct table *t = &h->now;
    uint32_t number = offset / UNIT < h->units ? t->owner[offset / UNIT] : 0;
    return number ? &t->record[number - 1] : NULL;
}

enum heap_state heap_give(struct heap *h, uint64_t offset, const struct finding_place *freed)
{
    struct record *r = offset >= UNIT ? record_at(h, offset - UNIT) : NULL; // the unit that separates the heap block
    if (!r || r->block.offset != offset) return HEAP_OUTSIDE;
    if (!r->alive) return HEAP_FREED;
    r->alive = 0;
    r->block.freed = *freed;
    h->now.hopeless = 0;
    return HEAP_TAKEN;
}

// ---------------------------------------------------------------- what the table knows

enum heap_state heap_state_of(const struct heap *h, uint64_t offset, uint64_t bytes)
{
    const struct record *r = record_at(h, offset);
    if (!r || offset < r->block.offset || offset - r->block.offset > r->block.bytes) return HEAP_OUTSIDE;
    if (r->block.bytes - (offset - r->block.offset) < bytes) return HEAP_OUTSIDE;
    return r->alive ? HEAP_TAKEN : HEAP_FREED;
}

// Returns, for an access between two heap blocks, the heap block before the access, because more programs leave an
// array at its end than at its start.
const struct heap_block *heap_block_near(const struct heap *h, uint64_t offset)
{
    const struct record *r = record_at(h, offset);
    if (r && offset >= r->block.offset) return &r->block;
    const struct record *before = offset >= UNIT ? record_at(h, offset - UNIT) : NULL;
    if (before) return &before->block;
    return r ? &r->block : NULL;
}

// ---------------------------------------------------------------- repeated launches

// Makes the table `to` a copy of the table `from`, and frees the arrays that `to` held before.
static void copy(struct table *to, const struct table *from)
{
    drop(to);
    *to = *from;
    to->owner = from->top ? alloc_copy(from->owner, from->top * sizeof *from->owner) : NULL;
    to->record = from->count ? alloc_copy(from->record, from->count * sizeof *from->record) : NULL;
    to->spare = from->spares ? alloc_copy(from->spare, from->spares * sizeof *from->spare) : NULL;
    to->capacity = from->count;
    to->spare_capacity = from->spares;
}

void heap_save(struct heap *h)
{
    copy(&h->saved, &h->now);
}

void heap_restore(struct heap *h)
{
    uint32_t *owner = alloc_zeroed((uint64_t)h->units + 1, sizeof *owner);
    copy(&h->now, &h->saved);
    if (h->now.top) memcpy(owner, h->now.owner, h->now.top * sizeof *owner);
    free(h->now.owner);
    h->now.owner = owner;
}

void heap_forget(struct heap *h)
{
    drop(&h->saved);
}
