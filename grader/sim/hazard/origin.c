// Records where undefined values in local memory come from; origin.h has the contracts. The origin of an undefined
// value is the load instruction that returned the value from unwritten memory (struct sim_undefined). The list `value`
// holds the origins of a warp's undefined values. The array `word` holds, for each word w of a warp's local memory, the
// index in `value` of the origin of the word's value, plus one. If word[w] is 0, no origin is recorded for the value.
// Consecutive stores of undefined values with one origin share an entry of the list `value`. A warp's list of origins
// is allocated when the warp stores its first undefined value, because most kernels store no undefined values.
#include "sim/hazard/origin.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { ORIGINS_MAX = 1 << 16 }; // origins that a warp records in one block; later origins are dropped

struct sim_origin {
    uint32_t count, words; // words: local memory of one lane, in words
    struct sim_undefined *value;
    uint32_t word[]; // [WARP_LANES][words]: index in `value` plus one; 0: no origin
};

// Allocates w->origin, which records where the undefined values in the warp's local memory come from.
static void make(struct sim_warp *w)
{
    uint32_t words = w->block->worker->launch->local_bytes / 4 + 2;
    w->origin = alloc_zeroed(1, sizeof *w->origin + (size_t)words * WARP_LANES * sizeof(uint32_t));
    w->origin->value = alloc_array(ORIGINS_MAX, sizeof *w->origin->value);
    w->origin->words = words;
}

// Returns n such that o->value[n - 1] equals *v, the load that an undefined value comes from. Appends *v to the list
// o->value if the list's last entry does not equal *v. Returns 0 if the list o->value needs a new entry but already has
// ORIGINS_MAX entries.
static uint32_t entry(struct sim_origin *o, const struct sim_undefined *v)
{
    const struct sim_undefined *last = o->count ? &o->value[o->count - 1] : NULL;
    if (last && last->op == v->op && last->address == v->address && last->space == v->space) return o->count;
    if (o->count == ORIGINS_MAX) return 0;
    o->value[o->count] = *v;
    return ++o->count;
}

void origin_keep(struct sim_warp *w, uint32_t lane, uint64_t at, uint32_t bytes, const struct sim_undefined *v)
{
    if (!v && !w->origin) return;
    if (!w->origin) make(w);
    uint32_t number = v ? entry(w->origin, v) : 0;
    for (uint64_t word = at / 4; word <= (at + bytes - 1) / 4; word++)
        w->origin->word[lane * w->origin->words + word] = number;
}

const struct sim_undefined *origin_of(const struct sim_warp *w, uint32_t lane, uint64_t at)
{
    uint32_t number = w->origin ? w->origin->word[lane * w->origin->words + at / 4] : 0;
    return number ? &w->origin->value[number - 1] : NULL;
}

void origin_forget(struct sim_warp *w)
{
    struct sim_origin *o = w->origin;
    if (!o || !o->count) return;
    o->count = 0;
    memset(o->word, 0, (size_t)o->words * WARP_LANES * sizeof *o->word);
}

void origin_free(struct sim_warp *w)
{
    if (w->origin) free(w->origin->value);
    free(w->origin);
    w->origin = NULL;
}
