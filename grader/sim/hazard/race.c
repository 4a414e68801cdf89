// Checks accesses to global memory for races. The header race.h explains the rules of the race check and their reasons.
#include "sim/hazard/race.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/access.h"
#include "sim/hazard/race_rule.h"
#include "sim/hazard/shadow.h"
#include "sim/hazard/stamp.h"
#include "sim/hazard/sync.h"

enum { CHUNK = 1024, LOCKS = 64 }; // cells of a chunk; locks of an array: lock i protects chunks i, i + 64, i + 128, …
// What takes long is charged to the launch's budget, in warp instructions: the strong access of a lane to a cell, each
// line but the first of a warp's strong access, and LINES_AN_INSTRUCTION lines of another access, because the cells of
// other lines are rarely in the processor's cache. A call of free() writes UNITS_AN_INSTRUCTION cells in the time of an
// instruction. A charge depends on the access alone, never on what the cells hold: which block comes first to a cell
// differs from run to run.
enum { STRONG_COSTS = 2, STRONG_LINE_COSTS = 8, LINES_AN_INSTRUCTION = 8, UNITS_AN_INSTRUCTION = 8 };

// Holds the strong accesses of a shadow cell, and the plain readers for which the cell's `struct rest` has no room. A
// `struct more` is allocated only for a shadow cell with a strong access or with more than one reader set (struct
// race_set). Most shadow cells need no `struct more`.
struct more {
    struct more *next; // next in the list of all such records under one lock
    struct race_mark strong_write, strong_read;
    uint8_t narrow_write, narrow_read; // 1: the strong access has block scope
    uint32_t count;
    struct race_set *reader; // [RACE_READERS - 1]; NULL: the cell never had a second reader
};

// Holds what a shadow cell records besides the latest plain write: the plain readers and the strong accesses.
struct rest {
    struct race_set reader;
    struct more *more; // NULL: the cell has neither strong accesses nor a second plain reader
};

// Holds the shadow cells of CHUNK consecutive units (words or bytes) of an array. Most output arrays are only written,
// so the array `rest` of a chunk is allocated at the first read or strong access.
struct chunk {
    struct race_mark write[CHUNK];
    struct rest *rest; // [CHUNK]; NULL: all recorded accesses are plain writes
};

struct race_map {
    uint64_t units;
    uint32_t shift;
    struct chunk **chunk; // each is NULL until the launch accesses the chunk
    pthread_mutex_t lock[LOCKS];
    struct more *more[LOCKS];
};

struct race_map *race_map_new(uint64_t units, uint32_t shift)
{
    struct race_map *map = alloc_zeroed(1, sizeof *map);
    map->units = units;
    map->shift = shift;
    map->chunk = alloc_zeroed(units / CHUNK + 1, sizeof *map->chunk);
    for (int i = 0; i < LOCKS; i++) pthread_mutex_init(&map->lock[i], NULL);
    return map;
}

void race_map_free(struct race_map *map)
{
    if (!map) return;
    for (uint64_t i = 0; i <= map->units / CHUNK; i++) {
        if (map->chunk[i]) free(map->chunk[i]->rest);
        free(map->chunk[i]);
    }
    for (int i = 0; i < LOCKS; i++) {
        for (struct more *m = map->more[i], *next; m; m = next) {
            next = m->next;
            free(m->reader);
            free(m);
        }
        pthread_mutex_destroy(&map->lock[i]);
    }
    free(map->chunk);
    free(map);
}

// ---------------------------------------------------------------- one cell

// Describes a shadow cell while it is checked: its chunk, its index there, and the lock that protects it.
struct cell {
    struct race_map *map;
    struct chunk *chunk;
    uint32_t index, lock;
};

// Locates the cell of unit number `unit` (a word or a byte) of the map of *c, and acquires its lock, unless one host
// thread runs all blocks. Releases the lock that *c held before, if any (LOCKS: none).
static void go_to(struct cell *c, const struct race_touch *t, uint64_t unit)
{
    uint32_t lock = unit / CHUNK % LOCKS;
    if (!t->serial && lock != c->lock) {
        if (c->lock < LOCKS) pthread_mutex_unlock(&c->map->lock[c->lock]);
        pthread_mutex_lock(&c->map->lock[lock]);
    }
    struct chunk **chunk = &c->map->chunk[unit / CHUNK];
    if (!*chunk) *chunk = alloc_zeroed(1, sizeof **chunk);
    *c = (struct cell){c->map, *chunk, unit % CHUNK, lock};
}

static void leave(const struct cell *c, const struct race_touch *t)
{
    if (!t->serial && c->lock < LOCKS) pthread_mutex_unlock(&c->map->lock[c->lock]);
}

// Returns the `struct rest` (the readers and the strong accesses) of the shadow cell, or NULL if all accesses recorded
// in the cell's chunk are plain writes.
static struct rest *rest_of(const struct cell *c)
{
    return c->chunk->rest ? &c->chunk->rest[c->index] : NULL;
}

// Returns the `struct rest` of the shadow cell. Allocates the array `rest` of the cell's chunk if the chunk has none.
static struct rest *make_rest(const struct cell *c)
{
    if (!c->chunk->rest) c->chunk->rest = alloc_zeroed(CHUNK, sizeof *c->chunk->rest);
    return rest_of(c);
}

// Returns the `struct more` of the shadow cell, or NULL if the shadow cell has no `struct more`. A `struct more` holds
// the shadow cell's strong accesses and all its reader sets (struct race_set) except the first.
static struct more *more_of(const struct cell *c)
{
    return c->chunk->rest ? rest_of(c)->more : NULL;
}

// Returns the `struct more` of the shadow cell. Allocates a `struct more` if the shadow cell has none.
static struct more *make_more(const struct cell *c)
{
    struct rest *rest = make_rest(c);
    if (rest->more) return rest->more;
    rest->more = alloc_zeroed(1, sizeof *rest->more);
    rest->more->next = c->map->more[c->lock];
    c->map->more[c->lock] = rest->more;
    return rest->more;
}

static struct race_mark cell_write(const struct cell *c)
{
    return c->chunk->write[c->index];
}

static void cell_keep_write(const struct race_touch *t, const struct cell *c, struct race_mark m)
{
    (void)t;
    c->chunk->write[c->index] = m;
    if (!c->chunk->rest) return;
    struct rest *rest = rest_of(c);
    rest->reader.mark.stamp = rest->reader.lanes = 0;
    if (rest->more) rest->more->count = rest->more->strong_read.stamp = rest->more->strong_write.stamp = 0;
}

static struct race_mark cell_strong(const struct cell *c, int writes)
{
    const struct more *more = more_of(c);
    if (!more) return (struct race_mark){0};
    return writes ? more->strong_write : more->strong_read;
}

static int cell_is_narrow(const struct cell *c, int writes)
{
    const struct more *more = more_of(c);
    return more && (writes ? more->narrow_write : more->narrow_read);
}

static void cell_keep_strong(const struct race_touch *t, const struct cell *c, int writes, struct race_mark m)
{
    struct more *more = make_more(c);
    *(writes ? &more->strong_write : &more->strong_read) = m;
    *(writes ? &more->narrow_write : &more->narrow_read) = t->narrow;
}

static uint32_t cell_sets(const struct cell *c)
{
    const struct more *more = more_of(c);
    return 1 + (more ? more->count : 0);
}

static struct race_set *set_of(const struct cell *c, uint32_t k)
{
    return k ? &more_of(c)->reader[k - 1] : &make_rest(c)->reader;
}

static struct race_set cell_set(const struct cell *c, uint32_t k)
{
    return c->chunk->rest ? *set_of(c, k) : (struct race_set){0};
}

static void cell_keep_set(const struct cell *c, uint32_t k, struct race_set r)
{
    if (r.lanes || c->chunk->rest) *set_of(c, k) = r;
}

static void cell_add_set(const struct race_touch *t, const struct cell *c, struct race_set r)
{
    struct more *more = make_more(c);
    (void)t;
    if (more->count == RACE_READERS - 1) return;
    if (!more->reader) more->reader = alloc_zeroed(RACE_READERS - 1, sizeof *more->reader);
    more->reader[more->count++] = r;
}

// ---------------------------------------------------------------- a warp's access

// Records a plain load or store of the word of shadow cell c, and returns 1, if the shadow cell holds no access by
// another lane. An access to a word that no other lane has accessed cannot race. If the shadow cell holds an access by
// another lane, is_own() returns 0 and records nothing.
static int is_own(struct race_touch *t, const struct cell *c)
{
    const struct race_mark *m = &c->chunk->write[c->index];
    if (more_of(c) || (m->stamp && (t->a->nc || m->block != t->block || STAMP_THREAD(m->who) != t->thread))) return 0;
    struct race_set *r = t->a->kind == ACCESS_READ || c->chunk->rest ? &make_rest(c)->reader : NULL;
    if (r && r->lanes && (!of_warp(t, r->mark) || r->lanes & ~t->lanes)) return 0;
    if (t->a->kind == ACCESS_WRITE)
        cell_keep_write(t, c, mark_of(t));
    else
        *r = (struct race_set){mark_of(t), t->lanes};
    return 1;
}

// Checks the access to the array element at byte offset `offset` of the array for races, and records the access.
static void element(struct race_touch *t, struct cell *c, uint64_t offset, int same)
{
    t->reported = 0;
    for (uint64_t unit = offset >> c->map->shift; unit << c->map->shift < offset + t->a->bytes; unit++) {
        go_to(c, t, unit);
        race_check(t, c, same);
    }
}

int race_is_only_read(struct sim_memory *m, struct sim_region *r, const struct sim_access *a)
{
    uint8_t *flag = a->kind == ACCESS_READ ? &r->race_read : &r->race_written;
    if (!__atomic_load_n(flag, __ATOMIC_RELAXED)) __atomic_store_n(flag, 1, __ATOMIC_SEQ_CST);
    if (a->bytes < 1u << r->unit_shift) {
        __atomic_store_n(&r->race_narrow, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&m->race_retry, 1, __ATOMIC_RELAXED);
        return 1;
    }
    if (__atomic_load_n(&r->race_reads, __ATOMIC_RELAXED)) return 0;
    if (__atomic_load_n(&r->race_read, __ATOMIC_SEQ_CST) && __atomic_load_n(&r->race_written, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&r->race_reads, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&m->race_retry, 1, __ATOMIC_RELAXED);
    }
    return a->kind == ACCESS_READ;
}

// Charges an access of the lanes in `good` to `lines` lines.
static void charge(const struct race_touch *t, const struct race_map *map, uint32_t good, uint32_t lines)
{
    uint32_t cells = t->a->bytes >> map->shift;
    uint32_t each = STRONG_COSTS * (uint32_t)__builtin_popcount(good) * t->a->count * (cells ? cells : 1);
    t->w->block->extra_work += t->strong ? each + STRONG_LINE_COSTS * (lines - 1) : lines / LINES_AN_INSTRUCTION;
}

void race_access(struct sim_warp *w, const struct sim_access *a, struct sim_region *r, uint32_t good, uint32_t lines,
                 const void *const row[])
{
    struct sim_memory *m = access_launch(w)->memory;
    if (!r->race || !w->block->shadow || race_is_only_read(m, r, a)) return;
    struct race_touch t = touch_of(w, a, SPACE_GLOBAL, r->race, m->serial != 0);
    struct cell c = {.map = r->race, .lock = LOCKS};
    int plain = !t.strong && a->kind != ACCESS_ATOMIC && a->bytes == 4 && c.map->shift == 2;
    charge(&t, c.map, good, lines);
    for (uint32_t left = good; left; left &= ~t.lanes) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        t.lanes = a->kind == ACCESS_READ ? access_neighbours(a, left) : 1u << lane;
        look_at(&t, lane);
        for (uint32_t e = 0; e < a->count; e++) {
            int same = 0;
            t.at = a->address[lane] + e * a->bytes;
            uint64_t offset = t.at - r->base, fresh = 0;
            if (plain && t.lanes == 1u << lane && (go_to(&c, &t, offset / 4), is_own(&t, &c))) {
                if (a->kind == ACCESS_WRITE) memcpy(r->data + offset, (const uint8_t *)row[e] + lane * a->row_bytes, 4);
                continue;
            }
            if (a->kind == ACCESS_WRITE) {
                fresh = access_row_get(row[e], lane, a->row_bytes);
                same = memcmp(r->data + offset, &fresh, a->bytes) == 0;
            }
            element(&t, &c, offset, same);
            if (a->kind == ACCESS_WRITE) memcpy(r->data + offset, &fresh, a->bytes);
        }
    }
    leave(&c, &t);
}

void race_forget(struct race_map *map, uint64_t from, uint64_t to)
{
    for (uint64_t at = from, next; at < to; at = next) {
        struct chunk *chunk = map->chunk[at / CHUNK];
        next = (at / CHUNK + 1) * CHUNK < to ? (at / CHUNK + 1) * CHUNK : to;
        if (!chunk) continue;
        memset(&chunk->write[at % CHUNK], 0, (next - at) * sizeof *chunk->write);
        if (chunk->rest) memset(&chunk->rest[at % CHUNK], 0, (next - at) * sizeof *chunk->rest);
    }
}

void race_discard(struct sim_warp *w, const struct sim_access *a, struct sim_region *r, uint64_t bytes)
{
    uint32_t lane = (uint32_t)__builtin_ctz(a->mask);
    if (!r->race || !w->block->shadow || race_is_only_read(access_launch(w)->memory, r, a)) return;
    struct race_touch t = touch_of(w, a, SPACE_GLOBAL, r->race, access_launch(w)->memory->serial != 0);
    struct cell c = {.map = r->race, .lock = LOCKS};
    t.lanes = a->mask;
    look_at(&t, lane);
    w->block->extra_work += bytes / UNITS_AN_INSTRUCTION;
    for (t.at = a->address[lane]; t.at < a->address[lane] + bytes; t.at++)
        if (c.map->chunk[(t.at - r->base) / CHUNK]) element(&t, &c, t.at - r->base, 0);
    leave(&c, &t);
}
