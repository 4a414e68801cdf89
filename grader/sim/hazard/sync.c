// Tracks release/acquire synchronisation through memory. The header sync.h has the rules by which strong accesses and
// fences order the accesses of threads.
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

// ---------------------------------------------------------------- places

// Holds the vector clocks that strong writes left at a word, or at eight bytes that were only written as a whole. A
// strong read of the word joins the vector clocks in struct word into the vector clocks of the reading thread.
struct word {
    struct vector_clock *left[2]; // [SYNC_BLOCK or SYNC_GRID]: the published clocks
    struct vector_clock
        *joined[2];   // the latest clock that was joined into left[…] whole; saves joining the clock again
    uint64_t block;   // index of the block that published left[SYNC_BLOCK]
    uint32_t version; // increases whenever a published clock changes
};
// Holds the vector clocks that strong writes left at eight bytes of memory, that is, at two words. The two words of a
// struct place share their vector clocks until a strong write covers only part of the eight bytes.
struct place {
    uint64_t key; // address / 8 + 1; 0: the slot is free
    struct word word[2];
    int apart; // 1: the words have clocks of their own; 0: word[0] holds the clocks of both words
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
        if (!p->place[i].key) continue;
        for (int k = 0; k < 4; k++) {
            replace(&p->place[i].word[k / 2].left[k % 2], NULL);
            replace(&p->place[i].word[k / 2].joined[k % 2], NULL);
        }
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

// Returns the entry of the hash table *p for the eight bytes that contain address `at`. If the hash table *p has no
// entry for address `at`, place_of() adds an empty entry if `make` is 1, and returns NULL if `make` is 0.
static struct place *place_of(struct sync_locations *p, uint64_t at, int make)
{
    uint64_t key = at / 8 + 1;
    struct place *place = slot_of(p, key);
    if (place->key || !make) return place->key ? place : NULL;
    if (2 * ++p->count > p->capacity) {
        grow(p);
        place = slot_of(p, key);
    }
    place->key = key;
    return place;
}

// Gives each of the two words in struct place its own vector clocks, which start as the clocks that both words shared.
static void separate(struct place *place)
{
    if (place->apart) return;
    place->apart = 1;
    place->word[1] = place->word[0];
    for (int k = 0; k < 2; k++) {
        vector_clock_keep(place->word[1].left[k]);
        vector_clock_keep(place->word[1].joined[k]);
    }
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
    replace(&h->last.first, NULL);
    replace(&h->last.second, NULL);
    replace(&h->last.joined, NULL);
    places_clear(h->places);
}

void sync_free(struct sync_state *h)
{
    if (!h) return;
    sync_begin(h);
    sync_locations_free(h->places);
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
    struct vector_clock *last = NULL, *joined = NULL;
    for (uint32_t t = 0; t < h->threads; t++) {
        if (!(from[t / WARP_LANES] >> t % WARP_LANES & 1) || of[t] == last || !of[t]) continue;
        last = of[t];
        vector_clock_join(&joined, last);
    }
    if (!joined) return;
    for (uint32_t t = 0; t < h->threads; t++) {
        if (!(to[t / WARP_LANES] >> t % WARP_LANES & 1)) continue;
        if (from[t / WARP_LANES] >> t % WARP_LANES & 1)
            replace(&of[t], vector_clock_keep(joined));
        else
            vector_clock_join(&of[t], joined);
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
        vector_clock_join(&one->known[0], h->known[t]);
        for (int k = 0; k < 2; k++) vector_clock_join(&one->fenced[k][0], h->fenced[k][t]);
    }
}

void sync_scatter(struct sync_state *h, uint32_t warp, const struct sync_state *one)
{
    for (uint32_t t = warp * WARP_LANES; t < (warp + 1) * WARP_LANES; t++) {
        vector_clock_join(&h->known[t], one->known[0]);
        for (int k = 0; k < 2; k++) vector_clock_join(&h->fenced[k][t], one->fenced[k][0]);
    }
}

// Adds to the vector clock *at the lane's own accesses and the accesses that barriers order before the lane's current
// access. Fields of struct sim_shadow, such as `floor`, hold the clock values up to which barriers have ordered other
// threads' accesses before the lane's current access. Returns 1 if an entry of the vector clock *at was added or
// raised, and 0 otherwise.
static int add_own(struct vector_clock **at, const struct sim_warp *w, uint32_t lane)
{
    const struct sim_shadow *s = w->block->shadow;
    uint64_t block = w->block->linear;
    int changed = 0;
    changed |= vector_clock_raise(at, vector_clock_block(block), s->floor);
    changed |= vector_clock_raise(at, vector_clock_warp(block, w->id), s->warp_floor[w->id]);
    for (uint32_t u = 0; (s->lanes_apart >> w->id & 1) && u < WARP_LANES; u++) {
        changed |=
            vector_clock_raise(at, vector_clock_thread(block, w->id * WARP_LANES + u), s->lane_known[w->id][lane][u]);
    }
    for (uint32_t u = 0; s->warps_apart && u < BLOCK_WARPS_MAX; u++) {
        changed |= vector_clock_raise(at, vector_clock_warp(block, u), s->warp_known[w->id][u]);
    }
    changed |= vector_clock_raise(at, vector_clock_thread(block, w->id * WARP_LANES + lane), s->clock);
    return changed;
}

void sync_acquire(struct sim_warp *w, uint32_t mask)
{
    struct sim_shadow *s = w->block->shadow;
    if (!s || !s->sync) return;
    struct sync_state *h = s->sync;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t thread = w->id * WARP_LANES + (uint32_t)__builtin_ctz(left);
        vector_clock_join(&h->known[thread], h->relaxed[thread]);
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
        struct vector_clock **fenced = &h->fenced[SYNC_BLOCK][thread];
        replace(fenced, vector_clock_keep(h->known[thread]));
        add_own(fenced, w, lane);
        if (scope != PTX_CTA) replace(&h->fenced[SYNC_GRID][thread], vector_clock_keep(*fenced));
    }
    s->clock++; // later accesses of these threads are not covered by the fence
}

// ---------------------------------------------------------------- strong accesses

// Returns the table of the vector clocks that strong writes left at words of the memory space `space`. Returns NULL if
// no synchronisation through `space` is tracked.
static struct sync_locations *places_at(const struct sim_warp *w, uint32_t space)
{
    const struct sim_shadow *s = w->block->shadow;
    if (space == SPACE_SHARED) return s->sync ? s->sync->places : NULL;
    const struct sim_memory *m = w->block->worker->launch->memory;
    return m->serial ? m->places : NULL;
}

// Joins the vector clock `more`, which a strong write left at a word, into the vector clock *at of the lane that reads
// the word. The lanes of a warp often have the same vector clock and read the same word, so the latest join is
// remembered and used again.
static void learn(struct sync_state *h, struct vector_clock **at, struct vector_clock *more)
{
    struct sync_last_join *last = &h->last;
    if (!more || *at == more) return;
    if (*at != last->first || more != last->second) {
        replace(&last->first, vector_clock_keep(*at));
        replace(&last->second, vector_clock_keep(more));
        replace(&last->joined, vector_clock_keep(*at));
        vector_clock_join(&last->joined, more);
    }
    replace(at, vector_clock_keep(last->joined));
}

// Joins the vector clocks that strong writes left at a word into the vector clocks of the lane that reads the word.
// `key` identifies the word.
static void read_word(struct sim_warp *w, const struct sim_access *a, uint32_t lane, const struct word *word,
                      uint64_t key)
{
    struct sim_shadow *s = w->block->shadow;
    struct vector_clock *block = word->block == w->block->linear ? word->left[SYNC_BLOCK] : NULL,
                        *grid = word->left[SYNC_GRID];
    if (!block && !grid) return;
    shadow_start_sync(s);
    struct sync_state *h = s->sync;
    uint32_t thread = w->id * WARP_LANES + lane;
    int later = a->kind == ACCESS_READ && a->sem == PTX_RELAXED;
    struct vector_clock **into = later ? h->relaxed : h->known;
    struct sync_last_read *seen = &h->seen[thread], now = {key << 1 | (uint64_t)later, word->version};
    if (seen->place == now.place && seen->version == now.version) return;
    *seen = now;
    learn(h, &into[thread], block);
    learn(h, &into[thread], grid);
}

// Describes the vector clocks that a strong write adds to the struct word of the written word, for later strong reads
// of the word. A strong write without release semantics adds to the written word the vector clocks of the writing
// lane's latest fences (`fenced`). A strong write with release semantics (`with_own` is 1) adds to the written word the
// lane's vector clock `known`, the lane's own accesses, and the accesses that barriers order before them.
struct release {
    struct vector_clock *clock[2]; // [SYNC_BLOCK or SYNC_GRID]
    int published[2];              // 1: the write publishes for these readers
    int with_own;
};

// Stores the vector clocks that *r describes in the struct word of a written word, for later strong reads of this word.
// A strong store of the whole word replaces the vector clocks that earlier writes left at the word. An atomic, or a
// strong store of only a part of the word, keeps the vector clocks at the word and joins those of *r into them.
static void leave(struct sim_warp *w, const struct sim_access *a, uint32_t lane, struct word *word,
                  const struct release *r)
{
    uint64_t block = w->block->linear;
    int adds = a->kind == ACCESS_ATOMIC || a->bytes < 4; // 1: the clocks already at the word stay
    int changed = 0;
    for (int k = 0; k < 2; k++) {
        struct vector_clock *clock = r->published[k] ? r->clock[k] : NULL;
        if (!adds || (k == SYNC_BLOCK && word->block != block)) {
            changed |= word->left[k] != NULL;
            replace(&word->left[k], NULL);
            replace(&word->joined[k], NULL);
        }
        if (clock && clock != word->joined[k]) {
            changed |= vector_clock_join(&word->left[k], clock);
            replace(&word->joined[k], vector_clock_keep(clock));
        }
        if (r->published[k] && r->with_own) changed |= add_own(&word->left[k], w, lane);
    }
    word->version += (uint32_t)changed;
    word->block = block;
}

void sync_read(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane, uint64_t at)
{
    const struct sim_shadow *s = w->block->shadow;
    if (!sync_is_strong(a) || !s || !(s->checks & CHECK_RACES)) return;
    if (a->kind == ACCESS_ATOMIC && mbarrier_is_atom(a->atom)) return; // an arrival at an mbarrier acquires nothing
    struct sync_locations *places = places_at(w, space);
    for (uint64_t from = at, to; places && from < at + a->bytes; from = to) {
        to = from / 8 * 8 + 8;
        const struct place *place = place_of(places, from, 0);
        if (!place) continue;
        uint64_t key = place->key << 2 | (uint64_t)(space == SPACE_SHARED) << 1, end = at + a->bytes;
        if (!place->apart || !(from & 4)) read_word(w, a, lane, &place->word[0], key);
        if (place->apart && (from & 4 || end > from + 4)) read_word(w, a, lane, &place->word[1], key | 1);
    }
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
    struct release r = {.with_own = releases, .published = {1, space != SPACE_SHARED && !sync_is_block_scoped(a)}};
    for (int k = 0; k < 2 && s->sync; k++) r.clock[k] = releases ? s->sync->known[thread] : s->sync->fenced[k][thread];
    int publishes = releases || r.clock[0] || (r.published[1] && r.clock[1]);
    for (uint64_t from = at, to; from < at + a->bytes; from = to) {
        to = from / 8 * 8 + 8;
        struct place *place = place_of(places, from, publishes);
        if (!place) continue;
        uint64_t end = at + a->bytes;
        if (end - from < 8) separate(place);
        if (!place->apart || !(from & 4)) leave(w, a, lane, &place->word[0], &r);
        if (place->apart && (from & 4 || end > from + 4)) leave(w, a, lane, &place->word[1], &r);
    }
    if (releases) s->clock++;
}
