// See origin.h. Each word of local memory holds the number, plus one, of an entry in a list. Consecutive stores of one
// value share an entry. Most kernels never need the list.
#include "sim/hazard/origin.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

enum { ORIGINS_MAX = 1 << 16 }; // of a block; those beyond are not kept

struct sim_origin {
    uint32_t count, words; // words of a lane
    struct sim_undefined *value;
    uint32_t word[]; // [WARP_LANES][words]
};

static void make(struct sim_warp *w)
{
    uint32_t words = w->block->worker->launch->local_bytes / 4 + 2;
    w->origin = alloc_zeroed(1, sizeof *w->origin + (size_t)words * WARP_LANES * sizeof(uint32_t));
    w->origin->value = alloc_array(ORIGINS_MAX, sizeof *w->origin->value);
    w->origin->words = words;
}

// The number plus one of an entry that says the same; 0: there is no room.
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
