// Holds the lines of a device's L2 from launch to launch; l2_lines.h states the contracts.
//
// Theory of operation. A program's launch finds in the L2 the lines that earlier launches and copies left there. The
// file l2_lines.c therefore stores which lines the L2 holds from one launch to the next. The file l2_lines.c also
// stores the data with which a launch's changes of the L2 can be undone or made again.
//   - A launch may have to be repeated (grid.c), and the repetition must find the same lines in the L2 as the first run
//     of the launch. When a launch touches a cache set for the first time, the cache set is copied to a log. To undo a
//     launch, the cache sets in the log are copied back. The queue of dirty lines is copied before the first line
//     leaves it during a launch. As long as no line has left the queue of dirty lines, the queue has only grown at its
//     tail, which can be undone without a copy.
//   - A launch is not simulated if its result can be recalled from an equal launch that began in an equal state of the
//     L2 (launch_cache.c). The digest of the state of the L2 is the sum of one hash for each cache set. To compute the
//     digest again, only cache sets that were touched since the last digest are hashed again. If the result of a launch
//     comes from the launch cache, the cache sets that the equal earlier launch changed get the contents that the
//     earlier launch left in them.
// The digest of the state of the L2 does not depend on the order in which lines became dirty, or on which blocks used a
// line. The order in which lines became dirty, and the blocks that used them, matter only to the launch that is
// running.
#include "sim/timing/l2_lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/coalesce.h"
#include "device/profile.h"

struct kept_set { // a set, and the index of the first of its ways in the log
    uint32_t index;
    uint64_t way;
    struct ways ways;
};

struct log { // contents of sets
    struct kept_set *set;
    struct l2_way *way;
    uint64_t sets, ways, set_capacity, way_capacity;
};

struct l2_undo {
    int runs;                        // 1: a launch has begun and not ended
    struct log log;                  // sets as they were before the launch touched them
    uint32_t *touched;               // [sets]: number of the launch that touched the set last
    uint32_t launch;                 // number of the present launch, from 1 on
    uint32_t blocks, generations;    // of the present launch
    uint64_t sectors, lines, queued; // dirty sectors, dirty lines and queued lines before the launch
    uint64_t *queue;                 // [queued]: the queue before the launch; NULL: no line has left the queue
    uint64_t *hash, sum;             // [sets]: hash of each set; the sum of all hashes
    uint8_t *stale;                  // [sets]: 1: the set was touched after its hash was computed
    uint32_t *list, stales;          // the stale sets, and their number
};

struct l2_change {
    struct log log;
};

struct l2_lines *l2_lines_new(const struct device_profile *device)
{
    struct l2_lines *l = alloc_zeroed(1, sizeof *l);
    l->sets = (uint32_t)(device->l2_bytes / L2_LINE / WAYS);
    if (!l->sets) l->sets = 1;
    l->set = alloc_zeroed(l->sets, sizeof *l->set);
    l->way = alloc_zeroed((size_t)l->sets * WAYS, sizeof *l->way);
    l->slots = 1024;
    l->queue = alloc_zeroed(l->slots, sizeof *l->queue);
    l->undo = alloc_zeroed(1, sizeof *l->undo);
    l->undo->touched = alloc_zeroed(l->sets, sizeof *l->undo->touched);
    l->undo->hash = alloc_zeroed(l->sets, sizeof *l->undo->hash);
    l->undo->stale = alloc_zeroed(l->sets, 1);
    l->undo->list = alloc_zeroed(l->sets, sizeof *l->undo->list);
    return l;
}

static void log_free(struct log *log)
{
    free(log->set);
    free(log->way);
}

void l2_lines_free(struct l2_lines *l)
{
    if (!l) return;
    free(l->set);
    free(l->way);
    free(l->queue);
    log_free(&l->undo->log);
    free(l->host);
    free(l->undo->touched);
    free(l->undo->queue);
    free(l->undo->hash);
    free(l->undo->stale);
    free(l->undo->list);
    free(l->undo);
    free(l);
}

// ---------------------------------------------------------------- sets

uint64_t l2_lines_hash(uint64_t line)
{
    uint64_t x = ways_hash(line);
    return x ^ x >> 32;
}

uint32_t l2_lines_set(const struct l2_lines *l, uint64_t line)
{
    return (uint32_t)((line + l2_lines_hash(line >> 18)) % l->sets);
}

uint32_t l2_lines_find(const struct l2_lines *l, uint32_t set, uint64_t line)
{
    for (uint32_t left = ways_marked(&l->set[set], l2_lines_hash(line)); left; left &= left - 1)
        if (l2_lines_way(l, set, (uint32_t)__builtin_ctz(left))->line == line) return (uint32_t)__builtin_ctz(left);
    return WAYS;
}

static void log_add(struct log *log, const struct l2_lines *l, uint32_t set)
{
    uint32_t count = l->set[set].count;
    ALLOC_GROW(log->set, log->set_capacity, log->sets + 1);
    ALLOC_GROW(log->way, log->way_capacity, log->ways + count);
    log->set[log->sets++] = (struct kept_set){.index = set, .way = log->ways, .ways = l->set[set]};
    for (uint32_t w = 0; w < count; w++) log->way[log->ways++] = *l2_lines_way(l, set, w);
}

static void make_stale(struct l2_undo *u, uint32_t set)
{
    if (u->stale[set]) return;
    u->stale[set] = 1;
    u->list[u->stales++] = set;
}

// Restores cache set number s->index to the contents that *s and the log hold. Ways that the cache set did not use when
// it was logged become empty, because a way must not be dirty when it receives its first line.
static void set_from(struct l2_lines *l, const struct log *log, const struct kept_set *s)
{
    uint32_t used = l->set[s->index].count;
    make_stale(l->undo, s->index);
    l->set[s->index] = s->ways;
    for (uint32_t w = 0; w < s->ways.count; w++) *l2_lines_way(l, s->index, w) = log->way[s->way + w];
    for (uint32_t w = s->ways.count; w < used; w++) *l2_lines_way(l, s->index, w) = (struct l2_way){0};
}

void l2_lines_touch(struct l2_lines *l, uint32_t set)
{
    struct l2_undo *u = l->undo;
    if (u->touched[set] == u->launch && u->runs) return;
    if (u->runs) {
        u->touched[set] = u->launch;
        log_add(&u->log, l, set);
    }
    make_stale(u, set);
}

// ---------------------------------------------------------------- dirty lines

enum { SEEN = 0x80 }; // of l2_way.dirty, only while compact() runs

static uint64_t *queued(const struct l2_lines *l, uint64_t at)
{
    return &l->queue[at % l->slots];
}

// Copies the queue of dirty lines if the running launch has no copy yet, so that the launch can be undone. The caller
// calls keep_queue() before a line leaves the queue.
static void keep_queue(struct l2_lines *l)
{
    struct l2_undo *u = l->undo;
    if (!u->runs || u->queue) return;
    u->queue = alloc_zeroed(u->queued + 1, sizeof *u->queue);
    for (uint64_t i = 0; i < u->queued; i++) u->queue[i] = *queued(l, l->head + i);
}

// Returns the way that holds the line if the line is dirty, otherwise NULL.
static struct l2_way *dirty_way(const struct l2_lines *l, uint64_t line)
{
    uint32_t set = l2_lines_set(l, line), found = l2_lines_find(l, set, line);
    struct l2_way *way = found < WAYS ? l2_lines_way(l, set, found) : NULL;
    return way && way->dirty ? way : NULL;
}

// Removes from the queue of dirty lines all lines that have become clean or were evicted. Of several entries for one
// dirty line, only the newest stays in the queue.
static void compact(struct l2_lines *l)
{
    uint64_t to = l->tail;
    for (uint64_t at = l->tail; at-- > l->head;) {
        struct l2_way *way = dirty_way(l, *queued(l, at));
        if (!way || way->dirty & SEEN) continue;
        way->dirty |= SEEN;
        *queued(l, --to) = *queued(l, at);
    }
    l->head = to;
    for (; to < l->tail; to++) dirty_way(l, *queued(l, to))->dirty &= (uint8_t)~SEEN;
}

// Makes room in the full queue of dirty lines: compacts the queue, and doubles its size if it is still more than half
// full.
static void make_room(struct l2_lines *l)
{
    keep_queue(l);
    compact(l);
    uint64_t count = l->tail - l->head;
    if (count <= l->slots / 2) return;
    uint64_t *grown = alloc_zeroed(l->slots * 2, sizeof *grown);
    for (uint64_t i = 0; i < count; i++) grown[i] = *queued(l, l->head + i);
    free(l->queue);
    l->queue = grown;
    l->head = 0;
    l->tail = count;
    l->slots *= 2;
}

static void push(struct l2_lines *l, uint64_t line)
{
    if (l->tail - l->head == l->slots) make_room(l);
    *queued(l, l->tail++) = line;
}

int l2_lines_soil(struct l2_lines *l, struct l2_way *way, uint32_t sectors)
{
    int was_clean = !way->dirty;
    uint32_t more = sectors & ~(uint32_t)way->dirty;
    if (!more) return 0;
    if (was_clean) push(l, way->line), l->dirty_lines++;
    l->dirty_sectors += coalesce_sector_count(more);
    way->dirty |= (uint8_t)sectors;
    return was_clean;
}

void l2_lines_clean(struct l2_lines *l, struct l2_way *way)
{
    for (uint32_t s = 0; s < 4; s++) l2_way_add(way, s, L2_WHOLE);
    l->dirty_sectors -= coalesce_sector_count(way->dirty);
    l->dirty_lines--;
    way->dirty = 0;
}

struct l2_way *l2_lines_oldest(struct l2_lines *l)
{
    keep_queue(l);
    uint64_t line = *queued(l, l->head++);
    struct l2_way *way = dirty_way(l, line);
    if (way) l2_lines_touch(l, l2_lines_set(l, line));
    return way;
}

// ---------------------------------------------------------------- launches and copies

static void forget(struct l2_undo *u)
{
    u->log.sets = u->log.ways = 0;
    free(u->queue);
    u->queue = NULL;
}

static void undo(struct l2_lines *l)
{
    struct l2_undo *u = l->undo;
    for (uint64_t i = 0; i < u->log.sets; i++) set_from(l, &u->log, &u->log.set[i]);
    if (u->queue) {
        memcpy(l->queue, u->queue, u->queued * sizeof *l->queue);
        l->head = 0;
    }
    l->tail = l->head + u->queued;
    l->dirty_sectors = u->sectors;
    l->dirty_lines = u->lines;
}

// Restarts the numbering of blocks if the numbers of `blocks` further blocks would not fit into 32 bits. The block
// numbers of earlier launches may be forgotten, because the L2 model compares only block numbers of the present launch.
static void number_blocks(struct l2_lines *l, uint64_t blocks)
{
    if (l->blocks + blocks < UINT32_MAX - 1) return;
    for (uint64_t k = 0; k < (uint64_t)l->sets * WAYS; k++) l->way[k].block = l->way[k].generation = 0;
    l->blocks = l->generations = 0;
}

void l2_lines_begin(struct l2_lines *l, uint64_t blocks, uint64_t resident)
{
    struct l2_undo *u = l->undo;
    if (u->runs) {
        undo(l);
    } else {
        l->blocks += u->blocks;
        l->generations += u->generations;
        number_blocks(l, blocks);
        u->queued = l->tail - l->head;
        u->sectors = l->dirty_sectors;
        u->lines = l->dirty_lines;
        u->blocks = (uint32_t)blocks;
        u->generations = (uint32_t)(blocks / (resident ? resident : 1)) + 1;
    }
    l->host_read = l->host_written = 0;
    forget(u);
    u->launch++;
    u->runs = 1;
}

void l2_lines_end(struct l2_lines *l)
{
    l->undo->runs = 0;
}

void l2_lines_copied(struct l2_lines *l, uint64_t address, uint64_t bytes, int is_written)
{
    uint64_t most = (uint64_t)l->sets * WAYS * L2_LINE, end = address + bytes;
    if (!bytes) return;
    for (uint64_t line = (bytes > most ? end - most : address) / L2_LINE; line <= (end - 1) / L2_LINE; line++) {
        uint32_t set = l2_lines_set(l, line), found = l2_lines_find(l, set, line);
        l2_lines_touch(l, set);
        struct ways *ways = &l->set[set];
        struct l2_way *way = NULL;
        if (found < WAYS) {
            ways_use(ways, ways_place(ways, found));
            way = l2_lines_way(l, set, found);
        } else {
            way = l2_lines_way(l, set, ways_take(ways, l2_lines_hash(line), WAYS - 1));
            if (way->dirty) l2_lines_clean(l, way);
            *way = (struct l2_way){.line = line};
        }
        way->valid = 0xf;
        for (uint32_t s = 0; s < 4; s++) l2_way_add(way, s, L2_WHOLE);
        if (is_written) l2_lines_soil(l, way, 0xf);
    }
}

void l2_lines_limit(struct l2_lines *l, uint64_t lines)
{
    while (l->dirty_lines > lines && l->head < l->tail) {
        struct l2_way *way = l2_lines_oldest(l);
        if (way) l2_lines_clean(l, way);
    }
}

void l2_lines_host(struct l2_lines *l, uint64_t first, uint64_t bytes)
{
    ALLOC_GROW(l->host, l->host_capacity, l->hosts + 1);
    l->host[l->hosts++] = (struct l2_range){first, first + bytes};
}

void l2_lines_no_host(struct l2_lines *l)
{
    l->hosts = 0;
}

int l2_lines_is_host(const struct l2_lines *l, uint64_t line)
{
    uint64_t at = line * L2_LINE;
    for (uint64_t i = 0; i < l->hosts; i++)
        if (at >= l->host[i].first / L2_LINE * L2_LINE && at < l->host[i].end) return 1;
    return 0;
}

// ---------------------------------------------------------------- states

static uint64_t hash_of(const struct l2_lines *l, uint32_t set)
{
    const struct ways *ways = &l->set[set];
    uint64_t hash = set + 1;
    if (!ways->count) return 0; // as before the set was first used
    for (uint32_t place = 0; place < ways->count; place++) {
        const struct l2_way *way = l2_lines_way(l, set, ways_at(ways, place));
        uint64_t state = (uint64_t)way->words << 16 | (uint64_t)way->dirty << 8 | way->valid;
        hash = l2_lines_hash(hash ^ way->line) + (state ^ hash >> 29) * 0xbf58476d1ce4e5b9u;
    }
    return l2_lines_hash(hash * 0x94d049bb133111ebu);
}

uint64_t l2_lines_digest(struct l2_lines *l)
{
    struct l2_undo *u = l->undo;
    for (uint32_t i = 0; i < u->stales; i++) {
        uint32_t set = u->list[i];
        u->sum -= u->hash[set];
        u->sum += u->hash[set] = hash_of(l, set);
        u->stale[set] = 0;
    }
    u->stales = 0;
    return u->sum;
}

struct l2_change *l2_lines_changed(const struct l2_lines *l)
{
    struct l2_change *c = alloc_zeroed(1, sizeof *c);
    for (uint64_t i = 0; i < l->undo->log.sets; i++) log_add(&c->log, l, l->undo->log.set[i].index);
    return c;
}

// Replaces the contents of cache set number s->index by those that *s and the log hold. Updates the queue of dirty
// lines and the numbers of dirty lines and sectors.
static void replace(struct l2_lines *l, const struct log *log, const struct kept_set *s)
{
    l2_lines_touch(l, s->index);
    for (uint32_t w = 0; w < l->set[s->index].count; w++) {
        struct l2_way *way = l2_lines_way(l, s->index, w);
        if (way->dirty) l2_lines_clean(l, way);
    }
    set_from(l, log, s);
    for (uint32_t w = 0; w < s->ways.count; w++) {
        struct l2_way *way = l2_lines_way(l, s->index, w);
        uint32_t dirty = way->dirty;
        way->dirty = 0;
        if (dirty) l2_lines_soil(l, way, dirty);
    }
}

void l2_lines_apply(struct l2_lines *l, const struct l2_change *c)
{
    for (uint64_t i = 0; i < c->log.sets; i++) replace(l, &c->log, &c->log.set[i]);
}

uint64_t l2_lines_change_bytes(const struct l2_change *c)
{
    return c ? c->log.sets * sizeof *c->log.set + c->log.ways * sizeof *c->log.way : 0;
}

void l2_lines_change_free(struct l2_change *c)
{
    if (!c) return;
    log_free(&c->log);
    free(c);
}
