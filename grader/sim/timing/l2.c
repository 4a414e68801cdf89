// Models the L2 cache; l2.h states the contracts.
//
// The L2 model has lines of four sectors, sixteen ways, LRU replacement, and write-back. The following list gives the
// properties of the L2 model that come from the counters of an H200.
//   - A miss fetches 64 bytes. (A kernel that reads every 128th float moves 64 bytes from DRAM for each float.)
//   - The L2 has two halves. If the home of a sector is the far half, both halves count the sector when the sector
//     comes from DRAM or is written. For kernels that stream data, the counters of the L2 therefore show 1.5 times the
//     L1's traffic. A sector that hits in the L2 is counted only once.
//   - If only a part of a sector was stored, the L2 reads the sector from DRAM before writing the sector back. A kernel
//     that stores one float in each 32 bytes of a large array reads as much memory as it writes. If threads fill their
//     own lines word by word (l0_blocked of tests/truth), each write-back of a sector that is not complete costs that
//     read again, so the L2 does not keep the completed sector. Of the sectors that a read from DRAM completes, the
//     counters count 80 % a second time as sectors written to the L2.
//   - The dirty lines take at most 19.5 MB. When more lines become dirty, the oldest dirty lines go to DRAM while the
//     kernel runs. A line in which only one float is dirty counts as a whole dirty line.
//   - Atomics are counted as hits, neither as reads nor as writes.
//
// If the simulator runs only a sample of a launch's blocks, the blocks outside the sample evict no lines from the
// simulated L2. If the launch's data do not fit into the L2, the L2 model therefore removes the lines that the blocks
// outside the sample would have evicted. The L2 model removes a line when the blocks since the line's last use,
// including the blocks outside the sample, would have brought more lines into the L2 than the L2 holds. The L2 model
// assumes that each block outside the sample brings as many new lines into the L2 as a sampled block does on average.
// In the L2 model, blocks that are resident at the same time do not evict each other's lines. A sector of which a
// sampled block stored only a part stays incomplete until the launch's end, unless a neighbouring block of the grid
// stores the rest (sampling_plan.c). A neighbouring block that stores the rest of a sector is resident at the same time
// as the sampled block, so the L2 gets the whole sector.
#include "sim/timing/l2.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/coalesce.h"
#include "device/profile.h"
#include "sim/core/launch.h"
#include "sim/core/region.h"
#include "sim/timing/l2_lines.h"
#include "sim/timing/ways.h"

enum { LINE = L2_LINE, SECTOR = L2_SECTOR, WORD = 4, HOT_CELLS = 1 << 14, CHUNK_LINES = 4, WHOLE = L2_WHOLE };

struct l2 {
    const struct sim_launch *launch;
    const struct device_profile *device;
    struct l2_lines *lines; // the caller's
    uint64_t dirty_limit;   // maximum number of dirty lines
    // [HOT_CELLS]: number of atomic operations on sectors, by the hash of the 512-byte chunk. One slice of the L2
    // serves a chunk.
    struct hot {
        uint64_t all, whole;
    } * hot;
    // The L2 lines of the block whose log is being processed. If the block has more lines than its share of the L2,
    // `share` has the lines that its share holds, and `dirty` has the dirty lines that its share holds.
    struct quota {
        uint32_t sets;
        struct quota_set {
            struct ways ways;
            uint64_t line[WAYS];
            uint64_t born; // `born` of the block that owns the lines
        } * set;
        uint64_t clock, born; // number of lookups; number of lookups before this block
    } share, dirty;
    uint32_t block, generation; // the block's number plus one; its generation, counted from 1
    uint32_t warps, resident;   // warps of a block; blocks that the device holds at once
    uint32_t joined;            // permille of the partly stored sectors that blocks outside the sample complete
    struct sample_age {
        int on;                // 1: the blocks are a sample of a launch whose data do not fit into the L2
        uint64_t blocks;       // number of sampled blocks processed
        uint64_t lines, dirty; // number of lines that these blocks brought; number of lines that they made dirty
        // Number of blocks since a line's last use after which the line is evicted (gone) or written back (clean).
        uint64_t gone, clean;
    } age;
};

static void quota_new(struct quota *s, uint64_t bytes)
{
    s->sets = (uint32_t)(bytes / LINE / WAYS);
    if (!s->sets) s->sets = 1;
    s->set = alloc_zeroed(s->sets, sizeof *s->set);
}

struct l2 *l2_new(const struct sim_launch *launch, struct l2_lines *lines)
{
    if (!launch->request->cold) return NULL;
    struct l2 *l2 = alloc_zeroed(1, sizeof *l2);
    l2->launch = launch;
    l2->device = launch->device;
    l2->lines = lines;
    l2->dirty_limit = (uint64_t)launch->device->l2_dirty_bytes / LINE;
    l2->hot = alloc_zeroed(HOT_CELLS, sizeof *l2->hot);
    l2->warps = launch->warps;
    l2->resident = (uint32_t)launch->device->sms * (launch->blocks_per_sm ? launch->blocks_per_sm : 1);
    uint64_t at_once = launch->blocks < l2->resident ? launch->blocks : l2->resident;
    quota_new(&l2->share, (uint64_t)launch->device->l2_bytes / at_once);
    quota_new(&l2->dirty, (uint64_t)launch->device->l2_dirty_bytes / at_once);
    l2_lines_begin(lines, launch->blocks, l2->resident);
    return l2;
}

void l2_free(struct l2 *l2)
{
    if (!l2) return;
    free(l2->hot);
    free(l2->share.set);
    free(l2->dirty.set);
    free(l2);
}

static uint32_t ones(uint32_t sectors)
{
    return coalesce_sector_count(sectors);
}

// Returns how many dirty sectors of the line were stored only in part, and how many words these sectors lack. DRAM must
// supply the words that partly stored sectors lack.
static struct l2_partial rest_of(const struct l2_way *way)
{
    struct l2_partial rest = {0};
    for (uint32_t s = 0; s < 4; s++) {
        if (!(way->dirty >> s & 1) || l2_way_words(way, s) == WHOLE) continue;
        rest.sectors++;
        rest.words += WHOLE - l2_way_words(way, s);
    }
    rest.lines = rest.sectors != 0;
    return rest;
}

// Returns how many of `n` partly stored sectors stay incomplete because no block outside the sample stores their other
// words.
static uint64_t left_alone(const struct l2 *l2, uint64_t n)
{
    return n - n * l2->joined / 1000;
}

static void write_back(struct l2 *l2, struct l2_way *way, struct counters *c)
{
    struct l2_partial rest = rest_of(way);
    uint64_t partial = left_alone(l2, rest.sectors);
    c->dram_partial_lines += left_alone(l2, rest.lines);
    c->dram_fill_bytes += partial * SECTOR;
    c->l2_st_sectors += l2_lines_hash(way->line + 1) % 5 ? partial : 0;
    c->dram_ld_bytes += partial * SECTOR;
    c->dram_st_bytes += (uint64_t)ones(way->dirty) * SECTOR - rest.words * WORD * l2->joined / 1000;
    uint16_t known = way->words; // DRAM completes a partly stored sector, and the L2 does not keep what it added
    l2_lines_clean(l2->lines, way);
    way->words = known;
}

// Returns the way that holds the line, and marks the way as used last. If the line is not in the cache set and the
// cache set is full, the line replaces the least recently used line.
static struct l2_way *use(struct l2 *l2, uint32_t set, uint64_t line, struct counters *c)
{
    struct ways *ways = &l2->lines->set[set];
    uint32_t found = l2_lines_find(l2->lines, set, line);
    l2_lines_touch(l2->lines, set);
    if (found < WAYS) {
        ways_use(ways, ways_place(ways, found));
        return l2_lines_way(l2->lines, set, found);
    }
    struct l2_way *way = l2_lines_way(l2->lines, set, ways_take(ways, l2_lines_hash(line), WAYS - 1));
    if (way->dirty) write_back(l2, way, c);
    *way = (struct l2_way){.line = line};
    return way;
}

static void drain(struct l2 *l2, struct counters *c)
{
    while (l2->lines->dirty_lines > l2->dirty_limit) {
        struct l2_way *way = l2_lines_oldest(l2->lines);
        if (way) write_back(l2, way, c);
    }
}

// Returns `n` if the line's home, one of the two halves of the L2, is the half that is far from the multiprocessor,
// otherwise 0. `n` is a number of sectors of the line.
static uint32_t far_count(uint64_t line, uint32_t n)
{
    return l2_lines_hash(line) >> 40 & 1 ? n : 0;
}

// Returns 1 if the line that the block reads is already on its way from DRAM. `at` is the position of the read in the
// log of the block's L2 requests. A line counts as on its way if another resident block has requested the line from
// DRAM at about the position `at` of that block's log. Blocks that run the same code request a shared line at about the
// same positions of their logs of L2 requests. Blocks of one generation, i.e. as many consecutive blocks as the device
// holds at once, are assumed to be resident at the same time.
static int is_on_its_way(const struct l2 *l2, const struct l2_way *way, uint32_t at)
{
    uint32_t apart = way->at > at ? way->at - at : at - way->at;
    return way->generation == l2->generation && way->block != l2->block && apart <= l2->warps;
}

static void read_sectors(struct l2 *l2, struct l2_way *way, const struct sector_entry *e, uint32_t at,
                         struct counters *c, struct l2_loads *loads)
{
    uint64_t line = e->line;
    uint32_t sectors = e->sectors;
    uint32_t missing = sectors & ~way->valid;
    uint32_t fetched = (missing & 3 ? 3u : 0) | (missing & 12 ? 12u : 0);
    fetched &= ~(uint32_t)way->valid;
    c->l2_hit_sectors += ones(sectors & ~missing);
    c->l2_ld_sectors += ones(sectors) + far_count(line, ones(fetched));
    c->l2_ld_lines++;
    for (uint32_t s = 0; s < 4; s++)
        if (fetched >> s & 1) l2_way_add(way, s, WHOLE);
    c->dram_ld_bytes += (uint64_t)ones(fetched) * SECTOR;
    way->valid |= (uint8_t)fetched;
    loads->dram += ones(missing);
    loads->fetched += ones(fetched);
    if (missing)
        way->generation = l2->generation, way->at = at;
    else if (is_on_its_way(l2, way, at))
        loads->pending += ones(sectors);
}

static void write_sectors(struct l2 *l2, struct l2_way *way, const struct sector_entry *e, struct counters *c)
{
    uint32_t sectors = e->sectors, n = ones(sectors) + far_count(e->line, ones(sectors));
    int is_atomic = e->kind >= SECTOR_ATOMIC;
    if (is_atomic && (sectors & ~way->valid)) c->dram_ld_bytes += (uint64_t)ones(sectors & ~way->valid) * SECTOR;
    if (!is_atomic) c->l2_st_sectors += n, c->l2_st_lines++;
    if (e->kind == SECTOR_WRITE_PARTIAL) c->l2_partial_sectors += ones(sectors);
    c->l2_hit_sectors += n;
    for (uint32_t s = 0; s < 4; s++)
        if (sectors >> s & 1)
            l2_way_add(way, s, e->kind == SECTOR_WRITE_PARTIAL ? e->operations >> 4 * s & 0xf : WHOLE);
    way->valid |= (uint8_t)sectors;
    if (l2_lines_soil(l2->lines, way, sectors)) l2->age.dirty++;
    drain(l2, c);
}

// Returns 1 if the block's share of the L2 holds the line, otherwise 0, and puts the line into the block's share of the
// L2. In a full cache set, a new line replaces the less recently used of two randomly chosen lines. Resident blocks
// drift apart, so the time at which one block last used a line says little about the age of the line in the whole L2.
static int in_quota(struct quota *s, uint64_t line)
{
    uint64_t hash = l2_lines_hash(line), now = ++s->clock;
    struct quota_set *set = &s->set[hash % s->sets];
    struct ways *ways = &set->ways;
    if (set->born != s->born) set->born = s->born, ways->count = 0;
    for (uint32_t left = ways_marked(ways, hash); left; left &= left - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(left);
        if (set->line[way] != line) continue;
        ways_use(ways, ways_place(ways, way));
        return 1;
    }
    uint32_t place = 0;
    if (ways->count == WAYS) { // evicts the less recently used of two random ways
        uint64_t chance = l2_lines_hash(now);
        uint32_t a = ways_place(ways, ~(uint32_t)(chance >> 32) % WAYS),
                 b = ways_place(ways, ~(uint32_t)(chance >> 48) % WAYS);
        place = a > b ? a : b;
    }
    set->line[ways_take(ways, hash, place)] = line;
    return 0;
}

// Returns the number of consecutive blocks that together bring `room` new lines into the L2. `lines` is the number of
// new lines that the sampled blocks have brought into the L2 so far. The result is at least the number of blocks that
// the device holds at once. In the L2 model, resident blocks do not evict each other's lines, because they are at about
// the same point of their work.
static uint64_t apart(const struct l2 *l2, uint64_t room, uint64_t lines)
{
    uint64_t blocks = lines ? room * l2->age.blocks / lines : UINT64_MAX;
    return blocks < l2->resident ? l2->resident : blocks;
}

static void age_begin(struct l2 *l2)
{
    struct sample_age *a = &l2->age;
    a->gone = apart(l2, (uint64_t)l2->lines->sets * WAYS, a->lines);
    a->clean = apart(l2, l2->dirty_limit, a->dirty);
    a->blocks++;
}

// Writes the line back or evicts it if enough blocks of the grid lie between the current block and the last sampled
// block that used the line.
static void age_line(struct l2 *l2, struct l2_way *way, struct counters *c)
{
    struct sample_age *a = &l2->age;
    uint64_t since = l2->block > way->block ? l2->block - way->block : 0;
    if (!way->block) a->lines++;
    if (!way->block || !since) return;
    if (way->dirty && (since >= a->clean || since >= a->gone)) write_back(l2, way, c);
    if (since < a->gone) return;
    a->lines++;
    way->valid = 0;
    way->words = 0;
}

void l2_sample(struct l2 *l2, uint64_t bytes, uint32_t joined)
{
    l2->joined = joined;
    l2->age.on = bytes > (uint64_t)l2->device->l2_bytes;
}

static int is_more(const struct quota *s, uint32_t lines)
{
    return lines > (uint64_t)s->sets * WAYS;
}

static void count_hot(struct l2 *l2, const struct sector_entry *e)
{
    struct hot *hot = &l2->hot[l2_lines_hash(e->line / CHUNK_LINES) % HOT_CELLS];
    hot->all += e->operations;
    if (e->kind == SECTOR_ATOMIC_WHOLE) hot->whole += e->operations;
}

// Returns the index of the line's cache set, and prefetches the state of that cache set into the host's cache.
// Prefetching saves time because the states of all simulated cache sets together are larger than the host's cache.
static uint32_t fetched_set(const struct l2 *l2, uint64_t line)
{
    uint32_t set = l2_lines_set(l2->lines, line);
    __builtin_prefetch(&l2->lines->set[set]);
    __builtin_prefetch(l2_lines_way(l2->lines, set, 0)); // most sets use only way 0
    return set;
}

// Counts the bytes that a launch reads from and writes to the host's memory, whose sectors the L2 does not keep.
static void over_link(struct l2 *l2, const struct sector_entry *e)
{
    uint64_t bytes = (uint64_t)ones(e->sectors) * SECTOR;
    if (e->kind != SECTOR_WRITE && e->kind != SECTOR_WRITE_PARTIAL) l2->lines->host_read += bytes;
    if (e->kind != SECTOR_READ) l2->lines->host_written += bytes;
}

void l2_commit(struct l2 *l2, uint64_t block, struct sector_log *log, struct counters *c, struct l2_loads *op)
{
    enum { AHEAD = 16 };
    uint32_t ahead[AHEAD];
    int crowded = is_more(&l2->share, log->count), soiled = is_more(&l2->dirty, log->count);
    l2->block = l2->lines->blocks + (uint32_t)block + 1;
    l2->generation = l2->lines->generations + (uint32_t)(block / l2->resident) + 1;
    l2->share.born = l2->share.clock;
    l2->dirty.born = l2->dirty.clock;
    if (l2->age.on) age_begin(l2);
    for (uint32_t i = 0; i < AHEAD && i < log->count; i++) ahead[i] = l2_lines_set(l2->lines, log->entry[i].line);
    for (uint32_t i = 0; i < log->count; i++) {
        const struct sector_entry *e = &log->entry[i];
        if (l2->lines->hosts && l2_lines_is_host(l2->lines, e->line)) {
            over_link(l2, e);
            if (i + AHEAD < log->count) ahead[i % AHEAD] = fetched_set(l2, e[AHEAD].line);
            continue;
        }
        struct l2_way *way = use(l2, ahead[i % AHEAD], e->line, c);
        if (i + AHEAD < log->count) ahead[i % AHEAD] = fetched_set(l2, e[AHEAD].line);
        if (l2->age.on) age_line(l2, way, c);
        // The L2 model gets the blocks' logs one after the other, but on a device the blocks run at the same time. So a
        // line that the block itself has brought into the L2 may have been evicted to make room for other blocks.
        if (soiled && e->kind == SECTOR_WRITE_PARTIAL && !in_quota(&l2->dirty, e->line) && way->block == l2->block &&
            way->dirty)
            write_back(l2, way, c);
        if (crowded && !in_quota(&l2->share, e->line) && way->block == l2->block) {
            if (way->dirty) write_back(l2, way, c);
            way->valid = 0;
            way->words = 0;
        }
        if (e->kind >= SECTOR_ATOMIC) count_hot(l2, e);
        if (e->kind == SECTOR_READ)
            read_sectors(l2, way, e, i, c, &op[e->op]);
        else
            write_sectors(l2, way, e, c);
        way->block = l2->block;
    }
    log->count = 0;
}

// Returns a number proportional to the time that the atomic operations on a 512-byte chunk take. The result of
// hot_time() serves l2_end() only to find the chunk whose atomic operations take longest.
static uint64_t hot_time(const struct l2 *l2, const struct hot *h)
{
    return (h->all - h->whole) * (uint64_t)l2->device->atomic_whole + h->whole * (uint64_t)l2->device->atomic_chunk;
}

void l2_end(struct l2 *l2, struct counters *c)
{
    l2_lines_end(l2->lines);
    const struct hot *most = &l2->hot[0];
    for (uint32_t i = 1; i < HOT_CELLS; i++) {
        if (hot_time(l2, &l2->hot[i]) > hot_time(l2, most)) most = &l2->hot[i];
    }
    c->global_atomic_hot += most->all;
    c->global_atomic_hot_whole += most->whole;
}

struct l2_partial l2_partial(const struct l2 *l2)
{
    struct l2_partial all = {0};
    for (uint32_t s = 0; s < l2->lines->sets; s++)
        for (uint32_t w = 0; w < l2->lines->set[s].count; w++) {
            struct l2_partial rest = rest_of(l2_lines_way(l2->lines, s, w));
            all.lines += rest.lines;
            all.sectors += rest.sectors;
            all.words += rest.words;
        }
    return all;
}

// Adds the DRAM traffic for sectors of which the sampled blocks stored only a part. DRAM supplies the missing bytes
// when the L2 writes a partly stored sector back. Of `written` dirty bytes, `kept` bytes stay in the L2, and the L2
// writes the rest back to DRAM.
static void complete(const struct l2 *l2, const struct l2_partial *rest, struct counters *c, uint64_t written,
                     uint64_t kept)
{
    uint64_t back = written > kept ? written - kept : 0;
    uint64_t partial = counter_scaled(left_alone(l2, rest->sectors), back, written);
    c->dram_partial_lines += counter_scaled(left_alone(l2, rest->lines), back, written);
    c->dram_fill_bytes += partial * SECTOR;
    c->dram_ld_bytes += partial * SECTOR;
    c->l2_st_sectors += partial * 4 / 5;
}

void l2_scale(const struct l2 *l2, struct counters *c, uint64_t blocks, uint64_t run, uint64_t bytes)
{
    if (blocks == run || !run) return;
    struct l2_partial rest = {0};
    if (c->l2_partial_sectors) rest = l2_partial(l2);
    uint64_t written = c->dram_st_bytes + l2->lines->dirty_sectors * SECTOR - rest.words * WORD * l2->joined / 1000;
    uint64_t kept = l2->dirty_limit * LINE;
    complete(l2, &rest, c, counter_scaled(written, blocks, run), kept);
    counters_scale(c, blocks, run);
    written = counter_scaled(written, blocks, run);
    uint64_t fits = (uint64_t)l2->device->l2_bytes;
    c->dram_st_bytes = written > kept ? written - kept : 0;
    if (bytes + written > fits || c->dram_ld_bytes <= bytes) return;
    // In the sample, both halves of the L2 counted each sector that the far half fetched from DRAM. In the whole
    // launch, the sectors that were scaled beyond `bytes` are already in the L2, so they are hits and count once.
    uint64_t again = (c->dram_ld_bytes - bytes) / SECTOR, twice = again / 2;
    c->l2_ld_sectors -= twice < c->l2_ld_sectors ? twice : c->l2_ld_sectors;
    c->l2_hit_sectors += again;
    c->dram_ld_bytes = bytes;
}
