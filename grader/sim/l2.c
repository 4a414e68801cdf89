// See l2.h.
//
// The cache: lines of four sectors, sixteen ways, least recently used goes first, write-back. What an H200's counters
// say beyond that, and is followed here:
//   - a miss fetches 64 bytes (a kernel that reads one float in each 512 bytes moves 64 bytes from DRAM for it);
//   - the L2 has two halves. A sector whose home is the far half is counted in both when it comes from DRAM or is
//     written, so that streams show 1.5 times the L1's traffic; a hit is counted once;
//   - no more than about 19.5 MB are dirty: older writes are on their way to DRAM while the kernel runs;
//   - atomics are counted as hits, neither as reads nor as writes.
#include "sim/l2.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "device/coalesce.h"
#include "device/profile.h"

enum { WAYS = 16, LINE = 128, SECTOR = 32, HOT_CELLS = 1 << 14, CHUNK_LINES = 4 };

struct way {
    uint64_t tag; // line + 1; 0: empty
    uint32_t age;
    uint8_t valid, dirty;
};

struct sim_l2 {
    const struct device_profile *device;
    uint32_t sets, clock;
    struct way *way;
    // Lines that became dirty, oldest first; a line that was cleaned or evicted meanwhile is skipped.
    uint64_t *queue;
    uint64_t head, tail, slots;
    uint64_t dirty_sectors, dirty_limit;
    // [HOT_CELLS]: sector operations of atomics by 512-byte chunk, hashed. A chunk is served by one slice of the L2.
    uint64_t *hot;
};

static void *allocated(void *memory)
{
    if (!memory) die("out of memory for a cache");
    return memory;
}

struct sim_l2 *l2_new(const struct sim_launch *launch)
{
    if (!launch->request->cold) return NULL;
    struct sim_l2 *l2 = allocated(calloc(1, sizeof *l2));
    l2->device = launch->device;
    l2->sets = (uint32_t)(launch->device->l2_bytes / LINE / WAYS);
    if (!l2->sets) l2->sets = 1;
    l2->way = allocated(calloc((size_t)l2->sets * WAYS, sizeof *l2->way));
    l2->dirty_limit = (uint64_t)launch->device->l2_dirty_bytes / SECTOR;
    l2->slots = 1024;
    l2->queue = allocated(calloc(l2->slots, sizeof *l2->queue));
    l2->hot = allocated(calloc(HOT_CELLS, sizeof *l2->hot));
    return l2;
}

void l2_free(struct sim_l2 *l2)
{
    if (!l2) return;
    free(l2->way);
    free(l2->queue);
    free(l2->hot);
    free(l2);
}

static uint32_t ones(uint32_t sectors)
{
    return coalesce_sector_count(sectors);
}

static uint64_t mixed(uint64_t x)
{
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 32;
}

static void write_back(struct sim_l2 *l2, struct way *way, struct counters *c)
{
    c->dram_st_bytes += (uint64_t)ones(way->dirty) * SECTOR;
    l2->dirty_sectors -= ones(way->dirty);
    way->dirty = 0;
}

// The first way of the line's set: neighbours lie in neighbouring sets, ranges far apart where chance puts them.
static struct way *set_of(const struct sim_l2 *l2, uint64_t line)
{
    return l2->way + (line + mixed(line >> 18)) % l2->sets * WAYS;
}

// The line's way; another goes when it is not there.
static struct way *find(struct sim_l2 *l2, uint64_t line, struct counters *c)
{
    struct way *set = set_of(l2, line), *victim = set;
    uint32_t now = ++l2->clock;
    for (struct way *way = set; way < set + WAYS; way++) {
        if (way->tag == line + 1) {
            way->age = now;
            return way;
        }
        if (!way->tag) { // ways are filled in order, and never emptied
            victim = way;
            break;
        }
        if (now - way->age > now - victim->age) victim = way; // by distance, so that the clock may wrap
    }
    if (victim->dirty) write_back(l2, victim, c);
    *victim = (struct way){.tag = line + 1, .age = now};
    return victim;
}

static void push_dirty(struct sim_l2 *l2, uint64_t line)
{
    if (l2->tail - l2->head == l2->slots) {
        uint64_t *grown = allocated(calloc(l2->slots * 2, sizeof *grown));
        for (uint64_t i = 0; i < l2->slots; i++) grown[i] = l2->queue[(l2->head + i) % l2->slots];
        free(l2->queue);
        l2->queue = grown;
        l2->head = 0;
        l2->tail = l2->slots;
        l2->slots *= 2;
    }
    l2->queue[l2->tail++ % l2->slots] = line;
}

static void drain(struct sim_l2 *l2, struct counters *c)
{
    while (l2->dirty_sectors > l2->dirty_limit && l2->head < l2->tail) {
        uint64_t line = l2->queue[l2->head++ % l2->slots];
        struct way *set = set_of(l2, line);
        for (struct way *way = set; way < set + WAYS; way++) {
            if (way->tag == line + 1 && way->dirty) write_back(l2, way, c);
        }
    }
}

// Sectors of a line whose home is the far half: all or none.
static uint32_t far_count(uint64_t line, uint32_t n)
{
    return mixed(line) >> 40 & 1 ? n : 0;
}

static void read_sectors(struct sim_l2 *l2, uint64_t line, uint32_t sectors, struct counters *c)
{
    struct way *way = find(l2, line, c);
    uint32_t missing = sectors & ~way->valid;
    uint32_t fetched = (missing & 3 ? 3u : 0) | (missing & 12 ? 12u : 0);
    fetched &= ~(uint32_t)way->valid;
    c->l2_hit_sectors += ones(sectors & ~missing);
    c->l2_ld_sectors += ones(sectors) + far_count(line, ones(missing));
    c->dram_ld_bytes += (uint64_t)ones(fetched) * SECTOR;
    way->valid |= (uint8_t)fetched;
}

static void write_sectors(struct sim_l2 *l2, uint64_t line, uint32_t sectors, int is_atomic, struct counters *c)
{
    struct way *way = find(l2, line, c);
    uint32_t n = ones(sectors) + far_count(line, ones(sectors));
    if (is_atomic && (sectors & ~way->valid)) c->dram_ld_bytes += (uint64_t)ones(sectors & ~way->valid) * SECTOR;
    if (!is_atomic) c->l2_st_sectors += n;
    c->l2_hit_sectors += n;
    way->valid |= (uint8_t)sectors;
    if (sectors & ~way->dirty) {
        if (!way->dirty) push_dirty(l2, line);
        l2->dirty_sectors += ones(sectors & ~way->dirty);
        way->dirty |= (uint8_t)sectors;
    }
    if (l2->dirty_sectors > l2->dirty_limit) drain(l2, c);
}

void l2_commit(struct sim_l2 *l2, struct sector_log *log, struct counters *c)
{
    enum { AHEAD = 8 }; // the cache's state is larger than the host's own cache: what will be needed is asked for early
    for (uint32_t i = 0; i < log->count; i++) {
        const struct sector_entry *e = &log->entry[i];
        if (i + AHEAD < log->count) __builtin_prefetch(set_of(l2, e[AHEAD].line));
        if (e->kind == SECTOR_WRITE_PARTIAL) c->l2_partial_sectors += ones(e->sectors);
        if (e->kind == SECTOR_ATOMIC) l2->hot[mixed(e->line / CHUNK_LINES) % HOT_CELLS] += e->operations;
        if (e->kind == SECTOR_READ)
            read_sectors(l2, e->line, e->sectors, c);
        else
            write_sectors(l2, e->line, e->sectors, e->kind == SECTOR_ATOMIC, c);
    }
    log->count = 0;
}

void l2_end(const struct sim_l2 *l2, struct counters *c)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < HOT_CELLS; i++) {
        if (l2->hot[i] > most) most = l2->hot[i];
    }
    c->global_atomic_hot += most;
}

void l2_scale(const struct sim_l2 *l2, struct counters *c, uint64_t blocks, uint64_t run, uint64_t bytes)
{
    if (blocks == run || !run) return;
    uint64_t written = c->dram_st_bytes + l2->dirty_sectors * SECTOR, kept = l2->dirty_limit * SECTOR;
#define COUNTER(name, metric, meaning) c->name = (uint64_t)((unsigned __int128)c->name * blocks / run);
#include "engine/counter.def"
#undef COUNTER
    written = (uint64_t)((unsigned __int128)written * blocks / run);
    uint64_t fits = (uint64_t)l2->device->l2_bytes;
    c->dram_st_bytes = written > kept ? written - kept : 0;
    if (bytes > fits || c->dram_ld_bytes <= bytes) return;
    // Sectors that would have come from the far half's DRAM were counted twice; the L2 has them now.
    uint64_t again = (c->dram_ld_bytes - bytes) / SECTOR, twice = again / 2;
    c->l2_ld_sectors -= twice < c->l2_ld_sectors ? twice : c->l2_ld_sectors;
    c->l2_hit_sectors += again;
    c->dram_ld_bytes = bytes;
}
