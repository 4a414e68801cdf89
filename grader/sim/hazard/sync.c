// Tracks release/acquire synchronisation through memory. The header sync.h has the rules of this synchronisation.
#include "sim/hazard/sync.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "sim/core/mbarrier.h"
#include "sim/core/region.h"
#include "sim/hazard/shadow.h"

// Replaces the vector clock in *at by `fresh`, and takes over the caller's reference to `fresh`.
static void replace(struct vector_clock **at, struct vector_clock *fresh)
{
    vector_clock_drop(*at);
    *at = fresh;
}

// Joins the vector clock `more` into the vector clock *at. The caller keeps its reference to `more`.
static void join_into(struct vector_clock **at, struct vector_clock *more)
{
    if (more && *at != more) replace(at, vector_clock_join(*at, more));
}

// ---------------------------------------------------------------- places

// Holds the vector clocks that strong writes published at one word of memory.
struct place {
    uint64_t key;                 // address / 4 + 1; 0: the slot is free
    struct vector_clock *left[2]; // [SYNC_BLOCK or SYNC_GRID]: the published clocks
    uint64_t block;               // index of the block that published left[SYNC_BLOCK]
    uint32_t version;             // increases whenever a published clock changes
};

struct sync_locations {
    struct place *place;
    uint32_t count, capacity; // capacity: slots of the hash table `place`, a power of two
};

struct sync_locations *sync_locations_new(void)
{
    struct sync_locations *p = alloc_zeroed(1, sizeof *p);
    p->capacity = 16;
    p->place = alloc_zeroed(p->capacity, sizeof *p->place);
    return p;
}

// Removes all entries from the hash table of memory words.
static void places_clear(struct sync_locations *p)
{
    for (uint32_t i = 0; p->count && i < p->capacity; i++) {
        vector_clock_drop(p->place[i].left[0]);
        vector_clock_drop(p->place[i].left[1]);
        p->place[i] = (struct place){0};
    }
    p->count = 0;
}

void sync_locations_free(struct sync_locations *p)
{
    if (!p) return;
    places_clear(p);
    free(p->place);
    free(p);
}

// Returns the slot of the hash table that holds the key, or the free slot where the key belongs.
static struct place *slot_of(const struct sync_locations *p, uint64_t key)
{
    uint64_t at = hash_bytes(&key, sizeof key, 0) & (p->capacity - 1);
    while (p->place[at].key && p->place[at].key != key) at = (at + 1) & (p->capacity - 1);
    return &p->place[at];
}

// Doubles the capacity of the hash table of memory words.
static void grow(struct sync_locations *p)
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

// Returns the hash table's entry for the memory word at address `at`. If the table has no entry for the word, the
// function adds an empty entry if `make` is 1, and returns NULL otherwise.
static struct place *place_of(struct sync_locations *p, uint64_t at, int make)
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

struct sync_state *sync_new(uint32_t threads)
{
    struct sync_state *h = alloc_zeroed(1, sizeof *h);
    h->threads = threads;
    h->known = alloc_zeroed(threads, sizeof *h->known);
    h->relaxed = alloc_zeroed(threads, sizeof *h->relaxed);
    h->seen = alloc_zeroed(threads, sizeof *h->seen);
    for (int k = 0; k < 2; k++) h->fenced[k] = alloc_zeroed(threads, sizeof *h->fenced[k]);
    h->places = sync_locations_new();
    return h;
}

void sync_begin(struct sync_state *h)
{
    for (uint32_t t = 0; t < h->threads; t++) {
        replace(&h->known[t], NULL);
        replace(&h->relaxed[t], NULL);
        replace(&h->fenced[0][t], NULL);
        replace(&h->fenced[1][t], NULL);
        h->seen[t] = (struct sync_last_read){0};
    }
    places_clear(h->places);
}

void sync_free(struct sync_state *h)
{
    if (!h) return;
    sync_begin(h);
    sync_locations_free(h->places);
    vector_clock_draft_free(&h->draft);
    free(h->known);
    free(h->relaxed);
    free(h->fenced[0]);
    free(h->fenced[1]);
    free(h->seen);
    free(h);
}

// Joins the vector clocks of the threads in `from` into the vector clocks of the threads in `to`. `of` holds one vector
// clock for each thread of the block.
static void meet(struct sync_state *h, struct vector_clock **of, const uint32_t from[BLOCK_WARPS_MAX],
                 const uint32_t to[BLOCK_WARPS_MAX])
{
    struct vector_clock *last = NULL, *joined;
    uint32_t different = 0;
    for (uint32_t t = 0; t < h->threads; t++) {
        if (!(from[t / WARP_LANES] >> t % WARP_LANES & 1) || of[t] == last || !of[t]) continue;
        last = of[t];
        different++;
    }
    if (!different) return;
    if (different == 1) {
        joined = vector_clock_keep(last);
    } else {
        last = NULL;
        for (uint32_t t = 0; t < h->threads; t++) {
            if (!(from[t / WARP_LANES] >> t % WARP_LANES & 1) || of[t] == last) continue;
            last = of[t];
            vector_clock_draft_join(&h->draft, last);
        }
        joined = vector_clock_make(&h->draft);
    }
    for (uint32_t t = 0; t < h->threads; t++) {
        if (!(to[t / WARP_LANES] >> t % WARP_LANES & 1)) continue;
        if (from[t / WARP_LANES] >> t % WARP_LANES & 1)
            replace(&of[t], vector_clock_keep(joined));
        else
            join_into(&of[t], joined);
    }
    vector_clock_drop(joined);
}

void sync_join(struct sync_state *h, const uint32_t from[BLOCK_WARPS_MAX], const uint32_t to[BLOCK_WARPS_MAX])
{
    meet(h, h->known, from, to);
    meet(h, h->fenced[SYNC_BLOCK], from, to);
    meet(h, h->fenced[SYNC_GRID], from, to);
}

void sync_gather(struct sync_state *one, const struct sync_state *h, uint32_t warp)
{
    for (uint32_t t = warp * WARP_LANES; t < (warp + 1) * WARP_LANES; t++) {
        join_into(&one->known[0], h->known[t]);
        for (int k = 0; k < 2; k++) join_into(&one->fenced[k][0], h->fenced[k][t]);
    }
}

void sync_scatter(struct sync_state *h, uint32_t warp, const struct sync_state *one)
{
    for (uint32_t t = warp * WARP_LANES; t < (warp + 1) * WARP_LANES; t++) {
        join_into(&h->known[t], one->known[0]);
        for (int k = 0; k < 2; k++) join_into(&h->fenced[k][t], one->fenced[k][0]);
    }
}

// Returns a vector clock of all accesses ordered before the lane's next access, including the lane's own accesses. The
// caller owns a reference to the returned clock.
static struct vector_clock *everything(const struct sim_warp *w, uint32_t lane)
{
    const struct sim_shadow *s = w->block->shadow;
    struct sync_state *h = s->sync;
    struct vector_clock_draft *d = &h->draft;
    uint64_t block = w->block->linear;
    uint32_t thread = w->id * WARP_LANES + lane;
    vector_clock_draft_join(d, h->known[thread]);
    vector_clock_draft_add(d, vector_clock_block(block), s->floor);
    vector_clock_draft_add(d, vector_clock_warp(block, w->id), s->warp_floor[w->id]);
    for (uint32_t u = 0; (s->lanes_apart >> w->id & 1) && u < WARP_LANES; u++) {
        vector_clock_draft_add(d, vector_clock_thread(block, w->id * WARP_LANES + u), s->lane_known[w->id][lane][u]);
    }
    for (uint32_t u = 0; s->warps_apart && u < BLOCK_WARPS_MAX; u++) {
        vector_clock_draft_add(d, vector_clock_warp(block, u), s->warp_known[w->id][u]);
    }
    vector_clock_draft_add(d, vector_clock_thread(block, thread), s->clock);
    return vector_clock_make(d);
}

void sync_acquire(struct sim_warp *w, uint32_t mask)
{
    struct sim_shadow *s = w->block->shadow;
    if (!s || !s->sync) return;
    struct sync_state *h = s->sync;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t thread = w->id * WARP_LANES + (uint32_t)__builtin_ctz(left);
        join_into(&h->known[thread], h->relaxed[thread]);
        replace(&h->relaxed[thread], NULL);
    }
}

void sync_fence(struct sim_warp *w, uint32_t mask, uint32_t scope)
{
    struct sim_shadow *s = w->block->shadow;
    if (!s || !(s->checks & CHECK_RACES)) return;
    shadow_start_sync(s);
    sync_acquire(w, mask);
    struct sync_state *h = s->sync;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), thread = w->id * WARP_LANES + lane;
        struct vector_clock *all = everything(w, lane);
        replace(&h->fenced[SYNC_BLOCK][thread], vector_clock_keep(all));
        if (scope != PTX_CTA) replace(&h->fenced[SYNC_GRID][thread], vector_clock_keep(all));
        vector_clock_drop(all);
    }
    s->clock++; // later accesses of these threads are not covered by the fence
}

// ---------------------------------------------------------------- strong accesses

// Returns the table of published clocks for the memory space `space`. Returns NULL if no synchronisation through that
// memory space is tracked.
static struct sync_locations *places_at(const struct sim_warp *w, uint32_t space)
{
    const struct sim_shadow *s = w->block->shadow;
    if (space == SPACE_SHARED) return s->sync ? s->sync->places : NULL;
    const struct sim_memory *m = w->block->worker->launch->memory;
    return m->serial ? m->places : NULL;
}

// Records a lane's strong read of the word at `at`: joins the clocks published at the word into the lane's vector
// clock.
static void read_word(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane, uint64_t at)
{
    struct sim_shadow *s = w->block->shadow;
    struct sync_locations *places = places_at(w, space);
    const struct place *place = places ? place_of(places, at, 0) : NULL;
    if (!place) return;
    struct vector_clock *block = place->block == w->block->linear ? place->left[SYNC_BLOCK] : NULL,
                        *grid = place->left[SYNC_GRID];
    if (!block && !grid) return;
    shadow_start_sync(s);
    struct sync_state *h = s->sync;
    uint32_t thread = w->id * WARP_LANES + lane;
    struct sync_last_read *seen = &h->seen[thread];
    uint64_t key = place->key << 1 | (space == SPACE_SHARED);
    if (seen->place == key && seen->version == place->version) return;
    int later = a->kind == ACCESS_READ && a->sem == PTX_RELAXED;
    struct vector_clock **into = later ? h->relaxed : h->known;
    if (!later) *seen = (struct sync_last_read){key, place->version};
    join_into(&into[thread], block);
    join_into(&into[thread], grid);
}

// Publishes the vector clocks `left` at the memory word at address `at`. A strong store of the whole word replaces the
// clocks that were published at the word. An atomic or a narrower store joins `left` to the clocks that were published
// at the word.
static void leave(struct sim_warp *w, const struct sim_access *a, struct sync_locations *places, uint64_t at,
                  struct vector_clock *const left[2])
{
    uint64_t block = w->block->linear;
    struct place *place = place_of(places, at, left[0] || left[1]);
    for (int k = 0; place && k < 2; k++) {
        int part = a->kind == ACCESS_ATOMIC || a->bytes < 4; // 1: the clocks already at the word stay
        struct vector_clock *before = place->left[k];
        if (part && (k == SYNC_GRID || place->block == block))
            join_into(&place->left[k], left[k]);
        else
            replace(&place->left[k], vector_clock_keep(left[k]));
        if (place->left[k] != before) place->version++;
    }
    if (place) place->block = block;
}

void sync_read(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane, uint64_t at)
{
    const struct sim_shadow *s = w->block->shadow;
    if (!sync_is_strong(a) || !s || !(s->checks & CHECK_RACES)) return;
    if (a->kind == ACCESS_ATOMIC && mbarrier_is_atom(a->atom)) return; // an arrival at an mbarrier acquires nothing
    for (uint64_t word = at; word < at + a->bytes; word += 4) read_word(w, a, space, lane, word);
}

void sync_write(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane, uint64_t at)
{
    struct sim_shadow *s = w->block->shadow;
    if (!sync_is_strong(a) || !s || !(s->checks & CHECK_RACES)) return;
    struct sync_locations *places = places_at(w, space);
    uint32_t thread = w->id * WARP_LANES + lane;
    struct sim_memory *m = w->block->worker->launch->memory;
    if (!__atomic_load_n(&m->strong, __ATOMIC_RELAXED)) __atomic_store_n(&m->strong, 1, __ATOMIC_RELAXED);
    int releases = a->sem == PTX_RELEASE || a->sem == PTX_ACQ_REL || a->sem == PTX_SC || m->fenced;
    if (releases && (places || space == SPACE_SHARED)) {
        shadow_start_sync(s);
        places = places_at(w, space);
    }
    if (!places) return;
    struct vector_clock *left[2] = {NULL, NULL};
    if (releases) {
        left[SYNC_BLOCK] = everything(w, lane);
        left[SYNC_GRID] = vector_clock_keep(left[SYNC_BLOCK]);
        s->clock++;
    } else if (s->sync) {
        for (int k = 0; k < 2; k++) left[k] = vector_clock_keep(s->sync->fenced[k][thread]);
    }
    if (sync_is_block_scoped(a)) replace(&left[SYNC_GRID], NULL);
    for (uint64_t word = at; word < at + a->bytes; word += 4) leave(w, a, places, word, left);
    vector_clock_drop(left[0]);
    vector_clock_drop(left[1]);
}
