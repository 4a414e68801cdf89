// See handover.h.
#include "sim/hazard/handover.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "sim/core/mbarrier.h"
#include "sim/core/region.h"
#include "sim/hazard/shadow.h"

static void replace(struct vector **at, struct vector *fresh)
{
    vector_drop(*at);
    *at = fresh;
}

static void join_into(struct vector **at, struct vector *more)
{
    if (more && *at != more) replace(at, vector_join(*at, more));
}

// ---------------------------------------------------------------- places

struct place {
    uint64_t key;           // address plus one; 0: free
    struct vector *left[2]; // [HANDOVER_…]
    uint64_t block;         // whose left[HANDOVER_BLOCK] is
    uint32_t version;       // changes with what is left
};

struct handover_places {
    struct place *place;
    uint32_t count, capacity; // capacity: a power of two
};

struct handover_places *places_new(void)
{
    struct handover_places *p = alloc_zeroed(1, sizeof *p);
    p->capacity = 16;
    p->place = alloc_zeroed(p->capacity, sizeof *p->place);
    return p;
}

static void places_clear(struct handover_places *p)
{
    for (uint32_t i = 0; p->count && i < p->capacity; i++) {
        vector_drop(p->place[i].left[0]);
        vector_drop(p->place[i].left[1]);
        p->place[i] = (struct place){0};
    }
    p->count = 0;
}

void places_free(struct handover_places *p)
{
    if (!p) return;
    places_clear(p);
    free(p->place);
    free(p);
}

static struct place *slot_of(const struct handover_places *p, uint64_t key)
{
    uint64_t at = hash_bytes(&key, sizeof key, 0) & (p->capacity - 1);
    while (p->place[at].key && p->place[at].key != key) at = (at + 1) & (p->capacity - 1);
    return &p->place[at];
}

static void grow(struct handover_places *p)
{
    struct place *old = p->place;
    uint32_t n = p->capacity;
    p->capacity *= 2;
    p->place = alloc_zeroed(p->capacity, sizeof *p->place);
    for (uint32_t i = 0; i < n; i++) {
        if (old[i].key) *slot_of(p, old[i].key) = old[i];
    }
    free(old);
}

// The place of a word; with `make` it is made when it is not there.
static struct place *place_of(struct handover_places *p, uint64_t at, int make)
{
    uint64_t key = at / 4 + 1;
    struct place *place = slot_of(p, key);
    if (place->key || !make) return place->key ? place : NULL;
    if (2 * ++p->count > p->capacity) {
        grow(p);
        place = slot_of(p, key);
    }
    place->key = key;
    return place;
}

// ---------------------------------------------------------------- a block

struct handover *handover_new(uint32_t threads)
{
    struct handover *h = alloc_zeroed(1, sizeof *h);
    h->threads = threads;
    h->known = alloc_zeroed(threads, sizeof *h->known);
    h->relaxed = alloc_zeroed(threads, sizeof *h->relaxed);
    h->seen = alloc_zeroed(threads, sizeof *h->seen);
    for (int k = 0; k < 2; k++) h->fenced[k] = alloc_zeroed(threads, sizeof *h->fenced[k]);
    h->places = places_new();
    return h;
}

void handover_begin(struct handover *h)
{
    for (uint32_t t = 0; t < h->threads; t++) {
        replace(&h->known[t], NULL);
        replace(&h->relaxed[t], NULL);
        replace(&h->fenced[0][t], NULL);
        replace(&h->fenced[1][t], NULL);
        h->seen[t] = (struct handover_seen){0};
    }
    places_clear(h->places);
}

void handover_free(struct handover *h)
{
    if (!h) return;
    handover_begin(h);
    places_free(h->places);
    vector_draft_free(&h->draft);
    free(h->known);
    free(h->relaxed);
    free(h->fenced[0]);
    free(h->fenced[1]);
    free(h->seen);
    free(h);
}

static void meet(struct handover *h, struct vector **of, const uint32_t from[BLOCK_WARPS_MAX],
                 const uint32_t to[BLOCK_WARPS_MAX])
{
    struct vector *last = NULL, *joined;
    uint32_t different = 0;
    for (uint32_t t = 0; t < h->threads; t++) {
        if (!(from[t / WARP_LANES] >> t % WARP_LANES & 1) || of[t] == last || !of[t]) continue;
        last = of[t];
        different++;
    }
    if (!different) return;
    if (different == 1) {
        joined = vector_keep(last);
    } else {
        last = NULL;
        for (uint32_t t = 0; t < h->threads; t++) {
            if (!(from[t / WARP_LANES] >> t % WARP_LANES & 1) || of[t] == last) continue;
            last = of[t];
            vector_draft_join(&h->draft, last);
        }
        joined = vector_make(&h->draft);
    }
    for (uint32_t t = 0; t < h->threads; t++) {
        if (!(to[t / WARP_LANES] >> t % WARP_LANES & 1)) continue;
        if (from[t / WARP_LANES] >> t % WARP_LANES & 1)
            replace(&of[t], vector_keep(joined));
        else
            join_into(&of[t], joined);
    }
    vector_drop(joined);
}

void handover_meet(struct handover *h, const uint32_t from[BLOCK_WARPS_MAX], const uint32_t to[BLOCK_WARPS_MAX])
{
    meet(h, h->known, from, to);
    meet(h, h->fenced[HANDOVER_BLOCK], from, to);
    meet(h, h->fenced[HANDOVER_GRID], from, to);
}

void handover_gather(struct handover *one, const struct handover *h, uint32_t warp)
{
    for (uint32_t t = warp * WARP_LANES; t < (warp + 1) * WARP_LANES; t++) {
        join_into(&one->known[0], h->known[t]);
        for (int k = 0; k < 2; k++) join_into(&one->fenced[k][0], h->fenced[k][t]);
    }
}

void handover_spread(struct handover *h, uint32_t warp, const struct handover *one)
{
    for (uint32_t t = warp * WARP_LANES; t < (warp + 1) * WARP_LANES; t++) {
        join_into(&h->known[t], one->known[0]);
        for (int k = 0; k < 2; k++) join_into(&h->fenced[k][t], one->fenced[k][0]);
    }
}

// All that a lane knows now, its own accesses included.
static struct vector *everything(const struct sim_warp *w, uint32_t lane)
{
    const struct sim_shadow *s = w->block->shadow;
    struct handover *h = s->handover;
    struct vector_draft *d = &h->draft;
    uint64_t block = w->block->linear;
    uint32_t thread = w->id * WARP_LANES + lane;
    vector_draft_join(d, h->known[thread]);
    vector_draft_add(d, vector_block(block), s->floor);
    vector_draft_add(d, vector_warp(block, w->id), s->warp_floor[w->id]);
    for (uint32_t u = 0; (s->lanes_apart >> w->id & 1) && u < WARP_LANES; u++) {
        vector_draft_add(d, vector_thread(block, w->id * WARP_LANES + u), s->lane_known[w->id][lane][u]);
    }
    for (uint32_t u = 0; s->warps_apart && u < BLOCK_WARPS_MAX; u++) {
        vector_draft_add(d, vector_warp(block, u), s->warp_known[w->id][u]);
    }
    vector_draft_add(d, vector_thread(block, thread), s->clock);
    return vector_make(d);
}

void sim_acquire(struct sim_warp *w, uint32_t mask)
{
    struct sim_shadow *s = w->block->shadow;
    if (!s || !s->handover) return;
    struct handover *h = s->handover;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t thread = w->id * WARP_LANES + (uint32_t)__builtin_ctz(left);
        join_into(&h->known[thread], h->relaxed[thread]);
        replace(&h->relaxed[thread], NULL);
    }
}

void sim_fence(struct sim_warp *w, uint32_t mask, uint32_t scope)
{
    struct sim_shadow *s = w->block->shadow;
    if (!s || !(s->checks & CHECK_RACES)) return;
    shadow_hand_over(s);
    sim_acquire(w, mask);
    struct handover *h = s->handover;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), thread = w->id * WARP_LANES + lane;
        struct vector *all = everything(w, lane);
        replace(&h->fenced[HANDOVER_BLOCK][thread], vector_keep(all));
        if (scope != PTX_CTA) replace(&h->fenced[HANDOVER_GRID][thread], vector_keep(all));
        vector_drop(all);
    }
    s->clock++; // what these threads do from now on is not fenced
}

// ---------------------------------------------------------------- strong accesses

// The places that this access belongs to, or NULL when nobody looks.
static struct handover_places *places_at(const struct sim_warp *w, uint32_t space)
{
    const struct sim_shadow *s = w->block->shadow;
    if (space == SPACE_SHARED) return s->handover ? s->handover->places : NULL;
    const struct sim_memory *m = w->block->worker->launch->memory;
    return m->serial ? m->places : NULL;
}

// A lane's strong read of the word at `at`.
static void read_word(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane, uint64_t at)
{
    struct sim_shadow *s = w->block->shadow;
    struct handover_places *places = places_at(w, space);
    const struct place *place = places ? place_of(places, at, 0) : NULL;
    if (!place) return;
    struct vector *block = place->block == w->block->linear ? place->left[HANDOVER_BLOCK] : NULL,
                  *grid = place->left[HANDOVER_GRID];
    if (!block && !grid) return;
    shadow_hand_over(s);
    struct handover *h = s->handover;
    uint32_t thread = w->id * WARP_LANES + lane;
    struct handover_seen *seen = &h->seen[thread];
    uint64_t key = place->key << 1 | (space == SPACE_SHARED);
    if (seen->place == key && seen->version == place->version) return;
    int later = a->kind == ACCESS_READ && a->sem == PTX_RELAXED;
    struct vector **into = later ? h->relaxed : h->known;
    if (!later) *seen = (struct handover_seen){key, place->version};
    join_into(&into[thread], block);
    join_into(&into[thread], grid);
}

// What the lane may publish is left at the word at `at`.
static void leave(struct sim_warp *w, const struct sim_access *a, struct handover_places *places, uint64_t at,
                  struct vector *const left[2])
{
    uint64_t block = w->block->linear;
    struct place *place = place_of(places, at, left[0] || left[1]);
    for (int k = 0; place && k < 2; k++) {
        int part = a->kind == ACCESS_ATOMIC || a->bytes < 4; // what lies there stays
        struct vector *before = place->left[k];
        if (part && (k == HANDOVER_GRID || place->block == block))
            join_into(&place->left[k], left[k]);
        else
            replace(&place->left[k], vector_keep(left[k]));
        if (place->left[k] != before) place->version++;
    }
    if (place) place->block = block;
}

void handover_read(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane, uint64_t at)
{
    const struct sim_shadow *s = w->block->shadow;
    if (!handover_is_strong(a) || !s || !(s->checks & CHECK_RACES)) return;
    if (a->kind == ACCESS_ATOMIC && mbarrier_is_atom(a->atom)) return; // arriving is no waiting
    for (uint64_t word = at; word < at + a->bytes; word += 4) read_word(w, a, space, lane, word);
}

void handover_write(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane, uint64_t at)
{
    struct sim_shadow *s = w->block->shadow;
    if (!handover_is_strong(a) || !s || !(s->checks & CHECK_RACES)) return;
    struct handover_places *places = places_at(w, space);
    uint32_t thread = w->id * WARP_LANES + lane;
    struct sim_memory *m = w->block->worker->launch->memory;
    if (!__atomic_load_n(&m->strong, __ATOMIC_RELAXED)) __atomic_store_n(&m->strong, 1, __ATOMIC_RELAXED);
    int releases = a->sem == PTX_RELEASE || a->sem == PTX_ACQ_REL || a->sem == PTX_SC || m->fenced;
    if (releases && (places || space == SPACE_SHARED)) {
        shadow_hand_over(s);
        places = places_at(w, space);
    }
    if (!places) return;
    struct vector *left[2] = {NULL, NULL};
    if (releases) {
        left[HANDOVER_BLOCK] = everything(w, lane);
        left[HANDOVER_GRID] = vector_keep(left[HANDOVER_BLOCK]);
        s->clock++;
    } else if (s->handover) {
        for (int k = 0; k < 2; k++) left[k] = vector_keep(s->handover->fenced[k][thread]);
    }
    if (handover_is_narrow(a)) replace(&left[HANDOVER_GRID], NULL);
    for (uint64_t word = at; word < at + a->bytes; word += 4) leave(w, a, places, word, left);
    vector_drop(left[0]);
    vector_drop(left[1]);
}
