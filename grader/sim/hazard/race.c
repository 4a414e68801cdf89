// Checks accesses to global memory for races. The header race.h explains the rules of the race check and their reasons.
#include "sim/hazard/race.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/access.h"
#include "sim/hazard/diagnose.h"
#include "sim/hazard/finding_log.h"
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

// Describes one access that a shadow cell remembers. Stamps (clock values) count from 1, and a stamp of 0 means that no
// access is recorded. A launched grid has fewer than 2^32 blocks, so `block` has 32 bits.
struct mark {
    uint32_t block, stamp;
    uint32_t who; // STAMP_ACCESS
};

// Describes a reader set: the lanes of one warp that read a word or byte of global memory at the same clock value.
struct reading {
    struct mark mark; // the read of one of the lanes
    uint32_t lanes;
};

// Holds the strong accesses of a shadow cell, and the plain readers for which the cell's `struct rest` has no room. A
// `struct more` is allocated only for a shadow cell with a strong access or with more than one reader set (struct
// reading). Most shadow cells need no `struct more`.
struct more {
    struct more *next; // next in the list of all such records under one lock
    struct mark strong_write, strong_read;
    uint8_t narrow_write, narrow_read; // 1: the strong access has block scope
    uint32_t count;
    struct reading *reader; // [RACE_READERS - 1]; NULL: the cell never had a second reader
};

// Holds what a shadow cell records besides the latest plain write: the plain readers and the strong accesses.
struct rest {
    struct reading reader;
    struct more *more; // NULL: the cell has neither strong accesses nor a second plain reader
};

// Holds the shadow cells of CHUNK consecutive units (words or bytes) of an array. Most output arrays are only written,
// so the array `rest` of a chunk is allocated at the first read or strong access.
struct chunk {
    struct mark write[CHUNK];
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

// Describes one warp's access while that access is checked for races.
struct touch {
    struct sim_warp *w;
    const struct sim_access *a;
    const struct sim_shadow *s;
    struct race_map *map;
    uint32_t block;
    uint64_t at;           // address of the element
    uint32_t lanes;        // lanes that access the element
    uint32_t lane, thread; // the lane of `lanes` that is being checked, and its thread
    uint32_t op, lock;
    int serial, strong, narrow;
    uint32_t reported; // mask of lanes whose race has been reported
};

// Sets t->lane and t->thread to the lane of the warp whose access is checked next, and to its thread.
static void look_at(struct touch *t, uint32_t lane)
{
    t->lane = lane;
    t->thread = t->w->id * WARP_LANES + lane;
}

// ---------------------------------------------------------------- order

// Returns 1 if all accesses that `thread` of `block` made up to clock value `stamp` are ordered before the current
// access by lane t->lane. While blocks run in parallel, knows() returns 1 for every other block, because only accesses
// of the same block are compared then.
static int knows(const struct touch *t, uint32_t block, uint32_t thread, uint32_t stamp)
{
    if (block == t->block) return shadow_knows(t->s, t->w->id, t->lane, thread, stamp);
    if (!t->serial) return 1;
    return t->s->sync && vector_clock_knows(t->s->sync->known[t->thread], block, thread, stamp);
}

// Returns 1 if the recorded access `m` exists and is not ordered before the current access by lane t->lane.
static int is_open(const struct touch *t, const struct mark *m)
{
    return m->stamp && !knows(t, m->block, STAMP_THREAD(m->who), m->stamp);
}

// Returns 1 if the recorded access `m` was made by the current warp.
static int of_warp(const struct touch *t, const struct mark *m)
{
    return m->block == t->block && STAMP_WARP(m->who) == t->w->id;
}

// Returns the lanes of the reader set `r` whose reads are not ordered before the current access by lane t->lane.
static uint32_t open_lanes(const struct touch *t, const struct reading *r)
{
    const struct mark *m = &r->mark;
    const struct sync_state *h = t->s->sync;
    uint32_t lanes = r->lanes, open = 0, first = STAMP_WARP(m->who) * WARP_LANES;
    if (of_warp(t, m)) lanes &= ~(1u << t->lane);
    if (!m->stamp || !lanes || (m->block == t->block && m->stamp <= t->s->floor)) return 0;
    // Normally, the reads of all lanes in `lanes` are ordered before the current access, or none is, so checking one
    // lane is enough. Only a __syncwarp() of some lanes or release/acquire synchronisation can order the lanes of a
    // warp individually.
    int apart = (of_warp(t, m) && t->s->lanes_apart >> t->w->id & 1) ||
                (h && vector_clock_has_block(h->known[t->thread], m->block));
    if (!apart) return knows(t, m->block, first + (uint32_t)__builtin_ctz(lanes), m->stamp) ? 0 : lanes;
    for (uint32_t left = lanes; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        if (!knows(t, m->block, first + l, m->stamp)) open |= 1u << l;
    }
    return open;
}

// Reports a race between the current access by lane t->lane and the recorded access `m` of `thread`. For each lane and
// array element, at most one race is reported.
static void report(struct touch *t, enum finding_kind kind, const struct mark *m, uint32_t thread,
                   enum access_kind access)
{
    if (t->reported >> t->lane & 1) return;
    t->reported |= 1u << t->lane;
    struct finding_log *log = t->w->block->worker->findings;
    uint32_t op = STAMP_OP(m->who), other_op = op < SHADOW_OPS ? op : UINT32_MAX;
    int is_in_warp = m->block == t->block && thread / WARP_LANES == t->w->id;
    const struct occurrence now = {.array = t->map, .block = t->block, .thread = t->thread};
    if (finding_log_repeat(log, kind, t->a->op, other_op, is_in_warp, &now)) {
        diagnose_charge(t->w);
        return;
    }
    struct finding f = diagnose_finding(t->w, t->a, SPACE_GLOBAL, t->lane, kind, t->at);
    const uint32_t *grid = t->w->block->worker->launch->request->grid;
    uint64_t x = grid[0] ? grid[0] : 1, y = grid[1] ? grid[1] : 1;
    struct sim_block block = *t->w->block;
    block.index[0] = (uint32_t)(m->block % x);
    block.index[1] = (uint32_t)(m->block / x % y);
    block.index[2] = (uint32_t)(m->block / x / y);
    struct sim_warp other = {.block = &block, .id = thread / WARP_LANES};
    finding_log_place(&f.other, &other, thread % WARP_LANES);
    f.other.access = (uint8_t)access;
    f.second = 1;
    f.warp = (uint8_t)is_in_warp;
    finding_log_add_race(log, &f, t->a->op, other_op, t->w->block, &now);
}

// ---------------------------------------------------------------- one cell

// Acquires mutex number `lock` of the race map and releases the mutex that the access held before. If `lock` is LOCKS,
// no mutex is acquired. While one host thread runs all blocks, hold() uses no mutex.
static void hold(struct touch *t, uint32_t lock)
{
    if (t->serial || t->lock == lock) {
        t->lock = lock;
        return;
    }
    if (t->lock < LOCKS) pthread_mutex_unlock(&t->map->lock[t->lock]);
    if (lock < LOCKS) pthread_mutex_lock(&t->map->lock[lock]);
    t->lock = lock;
}

// Locates a shadow cell: the chunk that contains the cell, and the cell's index in the chunk.
struct race_cell {
    struct chunk *chunk;
    uint32_t index;
};

// Returns the location of the shadow cell for unit number `unit` (a word or a byte) of the array. Acquires the mutex
// that protects the located shadow cell. Allocates the `struct chunk` that contains the cell, if the launch has not
// accessed any unit of the chunk before.
static struct race_cell cell_of(struct touch *t, uint64_t unit)
{
    struct chunk **chunk = &t->map->chunk[unit / CHUNK];
    hold(t, (uint32_t)(unit / CHUNK % LOCKS));
    if (!*chunk) *chunk = alloc_zeroed(1, sizeof **chunk);
    return (struct race_cell){*chunk, unit % CHUNK};
}

// Returns the record of the latest plain write in the shadow cell.
static struct mark *write_of(const struct race_cell *c)
{
    return &c->chunk->write[c->index];
}

// Returns the `struct rest` (the readers and the strong accesses) of the shadow cell, or NULL if all accesses recorded
// in the cell's chunk are plain writes.
static struct rest *rest_of(const struct race_cell *c)
{
    return c->chunk->rest ? &c->chunk->rest[c->index] : NULL;
}

// Returns the `struct rest` of the shadow cell. Allocates the array `rest` of the cell's chunk if the chunk has none.
static struct rest *make_rest(const struct race_cell *c)
{
    if (!c->chunk->rest) c->chunk->rest = alloc_zeroed(CHUNK, sizeof *c->chunk->rest);
    return rest_of(c);
}

// Returns the `struct more` of the shadow cell, or NULL if the shadow cell has no `struct more`. A `struct more` holds
// the shadow cell's strong accesses and all its reader sets (struct reading) except the first.
static struct more *more_of(const struct race_cell *c)
{
    return c->chunk->rest ? rest_of(c)->more : NULL;
}

// Returns the `struct more` of the shadow cell. Allocates a `struct more` if the shadow cell has none.
static struct more *make_more(const struct touch *t, const struct race_cell *c)
{
    struct rest *rest = make_rest(c);
    if (rest->more) return rest->more;
    rest->more = alloc_zeroed(1, sizeof *rest->more);
    rest->more->next = t->map->more[t->lock];
    t->map->more[t->lock] = rest->more;
    return rest->more;
}

// Returns the current access by lane t->lane as a struct mark, the form in which a shadow cell stores an access.
static struct mark mark_of(const struct touch *t)
{
    return (struct mark){t->block, t->s->clock, STAMP_ACCESS(t->op, t->thread)};
}

// Reports a race with the latest plain write that the shadow cell holds, if that write is not ordered before the
// current access by lane t->lane.
static void check_writer(struct touch *t, const struct race_cell *c, enum finding_kind kind)
{
    const struct mark *m = write_of(c);
    if (is_open(t, m)) report(t, kind, m, STAMP_THREAD(m->who), ACCESS_WRITE);
}

// Reports races between the current access by lane t->lane and the strong accesses that the shadow cell holds. Two
// strong accesses do not race if the scope of each access includes the thread of the other access.
static void check_strong(struct touch *t, const struct race_cell *c)
{
    const struct more *more = more_of(c);
    if (!more) return;
    int writes = t->a->kind != ACCESS_READ;
    const struct mark *m = &more->strong_write;
    int apart = m->block != t->block && (more->narrow_write || t->narrow);
    if ((!t->strong || apart) && is_open(t, m)) report(t, FINDING_race_atomic, m, STAMP_THREAD(m->who), ACCESS_ATOMIC);
    m = &more->strong_read;
    apart = m->block != t->block && (more->narrow_read || t->narrow);
    if (writes && (!t->strong || apart) && is_open(t, m))
        report(t, t->strong ? FINDING_race_atomic : FINDING_race_war, m, STAMP_THREAD(m->who), ACCESS_READ);
}

// Reports a race with the first lane of the reader set `r` whose read is not ordered before the current access by lane
// t->lane.
static void check_reader(struct touch *t, const struct reading *r, enum finding_kind kind)
{
    uint32_t lanes = open_lanes(t, r), warp = STAMP_WARP(r->mark.who);
    if (lanes) report(t, kind, &r->mark, warp * WARP_LANES + (uint32_t)__builtin_ctz(lanes), ACCESS_READ);
}

// Reports races with the plain readers that the shadow cell holds, if their reads are not ordered before the current
// access by lane t->lane.
static void check_readers(struct touch *t, const struct race_cell *c, enum finding_kind kind)
{
    const struct rest *rest = rest_of(c);
    if (!rest) return;
    check_reader(t, &rest->reader, kind);
    for (uint32_t k = 0; rest->more && k < rest->more->count; k++) check_reader(t, &rest->more->reader[k], kind);
}

// Removes from the reader set `r` each lane whose read is ordered before the read of a lane in the current access. The
// shadow cell need not keep a read that is ordered before the current read, because a later write that races with the
// older read also races with the current read.
static void stand_for(struct touch *t, struct reading *r)
{
    for (uint32_t left = t->lanes; left && r->lanes; left &= left - 1) {
        look_at(t, (uint32_t)__builtin_ctz(left));
        r->lanes = open_lanes(t, r);
        if (!t->s->sync && !of_warp(t, &r->mark)) return; // all lanes of the access are ordered alike
    }
}

// Records a plain read by the lanes in t->lanes. If the shadow cell already holds RACE_READERS reader sets (struct
// reading) with unordered reads, the read is not recorded.
static void record_read(struct touch *t, const struct race_cell *c)
{
    struct rest *rest = make_rest(c);
    struct reading *place = NULL;
    uint32_t more = rest->more ? rest->more->count : 0;
    for (uint32_t k = 0; k <= more; k++) {
        struct reading *r = k ? &rest->more->reader[k - 1] : &rest->reader;
        if (r->mark.stamp == t->s->clock && of_warp(t, &r->mark)) {
            r->lanes |= t->lanes;
            return;
        }
        stand_for(t, r);
        if (!r->lanes && !place) place = r;
    }
    if (!place) {
        if (more == RACE_READERS - 1) return;
        struct more *list = make_more(t, c);
        if (!list->reader) list->reader = alloc_zeroed(RACE_READERS - 1, sizeof *list->reader);
        place = &list->reader[list->count++];
    }
    *place = (struct reading){mark_of(t), t->lanes};
}

// Records the strong access by lane t->lane: a write if `writes` is 1, otherwise a read.
static void record_strong(struct touch *t, const struct race_cell *c, int writes)
{
    struct more *more = make_more(t, c);
    *(writes ? &more->strong_write : &more->strong_read) = mark_of(t);
    *(writes ? &more->narrow_write : &more->narrow_read) = (uint8_t)t->narrow;
}

// Records the plain write by lane t->lane and removes all other accesses from the shadow cell.
static void record_write(struct touch *t, const struct race_cell *c)
{
    struct rest *rest = rest_of(c);
    struct more *more = more_of(c);
    *write_of(c) = mark_of(t);
    if (rest) rest->reader.mark.stamp = 0;
    if (more) more->count = more->strong_read.stamp = more->strong_write.stamp = 0;
}

// Reports a read through the read-only path (ld.global.nc) of what this launch has written before. The caches of this
// path do not see stores, so that barriers do not help either (PTX ISA 9.7.9.9).
static void check_stale(struct touch *t, const struct race_cell *c)
{
    const struct mark *m = write_of(c);
    if (!m->stamp && more_of(c)) m = &more_of(c)->strong_write;
    if (t->a->nc && m->stamp) report(t, FINDING_stale_read, m, STAMP_THREAD(m->who), ACCESS_WRITE);
}

// Checks a read by all lanes in t->lanes for races and records the read.
static void cell_read(struct touch *t, const struct race_cell *c)
{
    for (uint32_t left = write_of(c)->stamp || more_of(c) ? t->lanes : 0; left; left &= left - 1) {
        look_at(t, (uint32_t)__builtin_ctz(left));
        check_writer(t, c, FINDING_race_raw);
        check_strong(t, c);
        check_stale(t, c);
    }
    look_at(t, 31 - (uint32_t)__builtin_clz(t->lanes));
    if (t->strong)
        record_strong(t, c, 0);
    else
        record_read(t, c);
}

// Checks an access to the word or byte of one shadow cell for races and records the access. `same` is 1 for a store of
// the value that is already in memory.
static void cell_access(struct touch *t, const struct race_cell *c, int same)
{
    switch (t->a->kind) {
    case ACCESS_READ:
        cell_read(t, c);
        break;
    case ACCESS_WRITE:
        check_readers(t, c, FINDING_race_war);
        check_strong(t, c);
        check_writer(t, c,
                     same ? FINDING_race_same_value
                          : FINDING_race_waw); // checked last, because a race of equal values may be only a note
        if (t->strong) {
            record_strong(t, c, 1);
            break;
        }
        record_write(t, c);
        break;
    default:
        check_readers(t, c, FINDING_race_atomic);
        check_writer(t, c, FINDING_race_atomic);
        check_strong(t, c);
        record_strong(t, c, 1);
        break;
    }
}

// ---------------------------------------------------------------- a warp's access

// Records a plain load or store of the word of shadow cell c, and returns 1, if the shadow cell holds no access by
// another lane. An access to a word that no other lane has accessed cannot race. If the shadow cell holds an access by
// another lane, is_own() returns 0 and records nothing.
static int is_own(struct touch *t, const struct race_cell *c)
{
    const struct mark *m = write_of(c);
    if (more_of(c) || (m->stamp && (t->a->nc || m->block != t->block || STAMP_THREAD(m->who) != t->thread))) return 0;
    struct reading *r = t->a->kind == ACCESS_READ ? &make_rest(c)->reader : rest_of(c) ? &rest_of(c)->reader : NULL;
    if (r && r->mark.stamp && (!of_warp(t, &r->mark) || r->lanes & ~t->lanes)) return 0;
    if (t->a->kind == ACCESS_WRITE)
        record_write(t, c);
    else if (r->mark.stamp == t->s->clock)
        r->lanes = t->lanes;
    else
        *r = (struct reading){mark_of(t), t->lanes};
    return 1;
}

// Calls is_own() with the shadow cell of the word at byte offset `offset` of the array, and returns the result.
static int is_own_word(struct touch *t, uint64_t offset)
{
    struct race_cell cell = cell_of(t, offset / 4);
    return is_own(t, &cell);
}

// Checks the access to the array element at byte offset `offset` of the array for races, and records the access.
static void element(struct touch *t, uint64_t offset, int same)
{
    t->reported = 0;
    for (uint64_t unit = offset >> t->map->shift; unit << t->map->shift < offset + t->a->bytes; unit++) {
        struct race_cell cell = cell_of(t, unit);
        cell_access(t, &cell, same);
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

// Returns a mask of the first lane in `lanes` and of the next lanes in `lanes` that access the same address as the
// first. Because neighbouring lanes with one address are checked together, a word that a whole warp reads is checked
// only once.
static uint32_t neighbours(const struct sim_access *a, uint32_t lanes)
{
    uint32_t first = (uint32_t)__builtin_ctz(lanes), same = 1u << first;
    for (uint32_t left = lanes & (lanes - 1); left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        if (a->address[lane] != a->address[first]) break;
        same |= 1u << lane;
    }
    return same;
}

// Returns the description of a warp's access for the race check.
static struct touch touch_of(struct sim_warp *w, const struct sim_access *a, const struct sim_region *r)
{
    int strong = sync_is_strong(a);
    return (struct touch){.w = w,
                          .a = a,
                          .s = w->block->shadow,
                          .map = r->race,
                          .block = (uint32_t)w->block->linear,
                          .op = a->op < SHADOW_OPS ? a->op : SHADOW_OPS,
                          .lock = LOCKS,
                          .serial = access_launch(w)->memory->serial != 0,
                          .strong = strong,
                          .narrow = strong && sync_is_block_scoped(a)};
}

// Charges an access of the lanes in `good` to `lines` lines.
static void charge(const struct touch *t, uint32_t good, uint32_t lines)
{
    uint32_t cells = t->a->bytes >> t->map->shift;
    uint32_t each = STRONG_COSTS * (uint32_t)__builtin_popcount(good) * t->a->count * (cells ? cells : 1);
    t->w->block->extra_work += t->strong ? each + STRONG_LINE_COSTS * (lines - 1) : lines / LINES_AN_INSTRUCTION;
}

void race_access(struct sim_warp *w, const struct sim_access *a, struct sim_region *r, uint32_t good, uint32_t lines,
                 const void *const row[])
{
    struct sim_memory *m = access_launch(w)->memory;
    if (!r->race || !w->block->shadow || race_is_only_read(m, r, a)) return;
    struct touch t = touch_of(w, a, r);
    int plain = !t.strong && a->kind != ACCESS_ATOMIC && a->bytes == 4 && t.map->shift == 2;
    charge(&t, good, lines);
    for (uint32_t left = good; left; left &= ~t.lanes) {
        uint32_t lane = (uint32_t)__builtin_ctz(left);
        t.lanes = a->kind == ACCESS_READ ? neighbours(a, left) : 1u << lane;
        look_at(&t, lane);
        for (uint32_t e = 0; e < a->count; e++) {
            int same = 0;
            t.at = a->address[lane] + e * a->bytes;
            uint64_t offset = t.at - r->base, fresh = 0;
            if (plain && t.lanes == 1u << lane && is_own_word(&t, offset)) {
                if (a->kind == ACCESS_WRITE) memcpy(r->data + offset, (const uint8_t *)row[e] + lane * a->row_bytes, 4);
                continue;
            }
            if (a->kind == ACCESS_WRITE) {
                fresh = access_row_get(row[e], lane, a->row_bytes);
                same = memcmp(r->data + offset, &fresh, a->bytes) == 0;
            }
            element(&t, offset, same);
            if (a->kind == ACCESS_WRITE) memcpy(r->data + offset, &fresh, a->bytes);
        }
    }
    hold(&t, LOCKS);
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
    struct touch t = touch_of(w, a, r);
    t.lanes = a->mask;
    look_at(&t, lane);
    w->block->extra_work += bytes / UNITS_AN_INSTRUCTION;
    for (t.at = a->address[lane]; t.at < a->address[lane] + bytes; t.at++)
        if (t.map->chunk[(t.at - r->base) / CHUNK]) element(&t, t.at - r->base, 0);
    hold(&t, LOCKS);
}
