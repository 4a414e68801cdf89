// Models the L1 cache; l1.h states the contracts.
//
// Order of warps. The simulator runs one warp until the warp must wait, but a device issues from all warps in turn. On
// a device, most L1 hits of a warp are on lines that another warp has just fetched. To look up requests in the device's
// order, l1_request() only queues the requests of each warp. When the block passes a barrier or ends, l1_settle() looks
// up the queued requests, one request of each warp in turn.
//
// The L1 model has 128-byte lines of four sectors, and sets of sixteen ways. In a full cache set, a new line replaces a
// pseudo-randomly chosen line of the eight least recently used lines. With strict LRU replacement, warps that run in
// step would always miss as soon as their lines slightly exceed the L1's capacity. The warps of a real device drift
// apart, so some loads hit the L1 although the lines of all warps exceed the L1's capacity. The L1 writes stores
// through to the L2, and a store allocates a line in the L1 as a load does. On an H200, a kernel whose blocks read and
// write 256 lines in turn evicts both the read and the written lines. Atomics, and loads with the PTX cache operators
// .cg and .cv, bypass the L1. A cache set that an earlier block used last counts as empty, so l1_begin() need not clear
// the cache sets.
#include "sim/timing/l1.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/profile.h"
#include "sim/core/program.h"
#include "sim/timing/trace.h"
#include "sim/timing/ways.h"

enum { LINE = 128, NOTES_MAX = 1 << 20, WHOLE = 8 }; // WHOLE: words of a whole sector

struct note {
    uint64_t line;
    uint32_t op, record; // record: result of trace_load()
    uint16_t operations;
    uint8_t sectors;
    uint8_t partial; // for stores and atomics: sectors that were not written as a whole
    uint8_t kind;    // enum sector_kind
    uint8_t flags;
};
// NOTE_FIRST marks the first line of a queued request. NOTE_BYPASS marks a queued line that bypasses the L1.
// NOTE_JOINED marks a queued store that a second store of the warp has joined.
enum { NOTE_FIRST = 1, NOTE_BYPASS = 2, NOTE_JOINED = 4 };

struct l1 {
    uint32_t sets, warps; // warps: number of warps of a block
    uint64_t block;       // number of the current block, counted from 1
    struct set {
        uint64_t block; // number of the block that owns the lines
        struct ways ways;
        uint64_t line[WAYS]; // line number << 4 | bits of the valid sectors
    } * set;
    struct queue {
        struct trace_warp *trace;
        struct note *note;
        uint32_t count, capacity, next;
        uint32_t last; // index of the last request's first note
    } queue[BLOCK_WARPS_MAX];
    uint32_t notes, notes_most;
    uint64_t evicted; // number of evicted lines
};

// Returns the number of blocks of the launch that are resident on a multiprocessor at the same time.
static int64_t resident_blocks(const struct sim_launch *launch)
{
    int64_t sms = launch->device->sms, needed = (int64_t)((launch->blocks + (uint64_t)sms - 1) / (uint64_t)sms);
    int64_t most = launch->blocks_per_sm ? launch->blocks_per_sm : 1;
    return needed < most ? (needed ? needed : 1) : most;
}

struct l1 *l1_new(const struct sim_launch *launch)
{
    if (!launch->request->cold) return NULL;
    int64_t blocks = resident_blocks(launch);
    // The program's layout contains no dynamic shared memory, so the request's dynamic shared memory is added here.
    int64_t shared = launch->program->shared->charged_bytes + (int64_t)launch->request->shared;
    int64_t bytes = device_profile_l1_bytes(launch->device, shared, launch->blocks_per_sm) / blocks;
    struct l1 *l1 = alloc_zeroed(1, sizeof *l1);
    l1->sets = (uint32_t)(bytes / LINE / WAYS);
    if (!l1->sets) l1->sets = 1;
    l1->warps = launch->warps;
    l1->notes_most = NOTES_MAX;
    l1->set = alloc_zeroed(l1->sets, sizeof *l1->set);
    return l1;
}

void l1_limit(struct l1 *l1, uint64_t bytes)
{
    uint64_t notes = bytes / sizeof(struct note);
    if (l1 && notes < l1->notes_most) l1->notes_most = (uint32_t)notes;
}

void l1_free(struct l1 *l1)
{
    if (!l1) return;
    for (int w = 0; w < BLOCK_WARPS_MAX; w++) free(l1->queue[w].note);
    free(l1->set);
    free(l1);
}

void l1_begin(struct l1 *l1)
{
    l1->evicted = 0;
    l1->block++;
    l1->notes = 0;
    for (int w = 0; w < BLOCK_WARPS_MAX; w++) l1->queue[w].count = l1->queue[w].next = l1->queue[w].last = 0;
}

// Returns the number of stored 4-byte words of each sector of a line, with 4 bits for each sector. Bit k of `words` is
// 1 if word k of the line is stored.
static uint16_t words_stored(uint32_t words)
{
    uint32_t packed = 0;
    for (uint32_t s = 0; s < 4; s++) packed |= (uint32_t)__builtin_popcount(words >> 8 * s & 0xff) << 4 * s;
    return (uint16_t)packed;
}

static uint32_t partial_sectors(uint32_t words)
{
    uint32_t partial = 0;
    for (uint32_t s = 0; s < 4; s++) {
        uint32_t part = words >> 8 * s & 0xff;
        if (part && part != 0xff) partial |= 1u << s;
    }
    return partial;
}

static uint8_t whole_sectors(uint16_t words)
{
    uint32_t whole = 0;
    for (uint32_t s = 0; s < 4; s++) whole |= (uint32_t)((words >> 4 * s & 0xf) == WHOLE) << s;
    return (uint8_t)whole;
}

// Returns how many words of each sector two stores together have stored, if they stored `a` and `b` words of each
// sector. The arguments and the result have 4 bits for each sector. Assumes that the two stores wrote different words.
static uint16_t words_together(uint16_t a, uint16_t b)
{
    uint32_t words = 0;
    for (uint32_t s = 0; s < 4; s++) {
        uint32_t sum = (a >> 4 * s & 0xf) + (b >> 4 * s & 0xf);
        words |= (sum < WHOLE ? sum : WHOLE) << 4 * s;
    }
    return (uint16_t)words;
}

// Joins a warp's store with the warp's previous request if the previous request is a store to the same lines. Returns 1
// if the store was joined with the previous store, otherwise 0. On a device, two successive stores of a warp to the
// same lines reach the L2 as one store. If a thread stores four floats one by one, an H200's L2 counts half as many
// sectors as with loads between the stores.
static int join_store(struct queue *q, const struct sim_access *a, const struct footprint *f)
{
    if (a->kind != ACCESS_WRITE || q->count - q->last != f->cells || !q->count) return 0;
    struct note *before = &q->note[q->last];
    if (before->kind != SECTOR_WRITE || before->flags & NOTE_JOINED) return 0;
    for (uint32_t i = 0; i < f->cells; i++)
        if (before[i].line != f->cell[i]) return 0;
    for (uint32_t i = 0; i < f->cells; i++) {
        before[i].operations = words_together(before[i].operations, words_stored(f->unit[i]));
        before[i].sectors |= (uint8_t)coalesce_sectors_of(f->unit[i]);
        before[i].partial = before[i].sectors & (uint8_t)~whole_sectors(before[i].operations);
        before[i].flags |= NOTE_JOINED;
    }
    return 1;
}

void l1_request(struct l1 *l1, const struct sim_warp *w, const struct sim_access *a, const struct footprint *f,
                const uint16_t *operations)
{
    struct queue *q = &l1->queue[w->id % BLOCK_WARPS_MAX];
    if (join_store(q, a, f)) return;
    ALLOC_GROW(q->note, q->capacity, q->count + f->cells);
    q->trace = w->trace;
    q->last = q->count;
    int bypass = a->kind == ACCESS_READ && (a->cache == PTX_CG || a->cache == PTX_CV);
    uint32_t record = w->trace && a->kind == ACCESS_READ ? trace_load(w->trace, a->op, f->cell[0]) : 0;
    for (uint32_t i = 0; i < f->cells; i++) {
        q->note[q->count++] =
            (struct note){.line = f->cell[i],
                          .op = a->op,
                          .record = record,
                          .operations = operations                ? operations[i]
                                        : a->kind == ACCESS_WRITE ? words_stored(f->unit[i])
                                                                  : 0,
                          .sectors = (uint8_t)coalesce_sectors_of(f->unit[i]),
                          .partial = (uint8_t)(a->kind == ACCESS_READ ? 0 : partial_sectors(f->unit[i])),
                          .kind = a->kind == ACCESS_READ    ? SECTOR_READ
                                  : a->kind == ACCESS_WRITE ? SECTOR_WRITE
                                                            : SECTOR_ATOMIC,
                          .flags = (uint8_t)((i == 0 ? NOTE_FIRST : 0) | (bypass ? NOTE_BYPASS : 0))};
    }
    l1->notes += f->cells;
    if (l1->notes >= l1->notes_most) l1_settle(l1, w->block);
}

// Looks up the sectors in the bit mask `sectors` of a line in the L1. Returns a mask of the sectors that hit, i.e. were
// already valid in the L1, and makes all sectors in `sectors` valid.
static uint32_t lookup(struct l1 *l1, uint64_t line, uint32_t sectors)
{
    uint64_t hash = ways_hash(line); // hashed, so that the rows of a matrix do not collide in one set
    struct set *set = &l1->set[(uint32_t)(hash >> 32) % l1->sets];
    struct ways *ways = &set->ways;
    if (set->block != l1->block) {
        set->block = l1->block;
        ways->count = 0;
    }
    for (uint32_t left = ways_marked(ways, hash); left; left &= left - 1) {
        uint32_t way = (uint32_t)__builtin_ctz(left), there = set->line[way] & 0xf;
        if (set->line[way] >> 4 != line) continue;
        ways_use(ways, ways_place(ways, way));
        set->line[way] |= sectors;
        return there & sectors;
    }
    uint32_t place = 0;
    if (ways->count == WAYS) place = WAYS / 2 + (uint32_t)(ways_hash(++l1->evicted) >> 61);
    set->line[ways_take(ways, hash, place)] = line << 4 | sectors;
    return 0;
}

static void sector_log_add(struct sector_log *log, const struct note *n, uint32_t sectors, uint32_t kind)
{
    ALLOC_GROW(log->entry, log->capacity, log->count + 1);
    log->entry[log->count++] = (struct sector_entry){
        .line = n->line, .op = n->op, .sectors = (uint8_t)sectors, .kind = (uint8_t)kind, .operations = n->operations};
}

// Looks up one line of a queued request in the L1, and logs the sectors that go on to the L2. Returns the sectors of a
// load that missed the L1, or 0 for a store or an atomic.
static uint32_t settle_note(struct l1 *l1, struct sim_block *b, const struct note *n)
{
    if (n->kind == SECTOR_READ) {
        uint32_t found = n->flags & NOTE_BYPASS ? 0 : lookup(l1, n->line, n->sectors);
        b->worker->op[n->op].global_ld_l1_hit_sectors += coalesce_sector_count(found);
        if (n->sectors & ~found) sector_log_add(&b->sectors, n, n->sectors & ~found, SECTOR_READ);
        return n->sectors & ~found;
    }
    if (n->kind == SECTOR_ATOMIC) {
        sector_log_add(&b->sectors, n, n->sectors, n->partial ? SECTOR_ATOMIC : SECTOR_ATOMIC_WHOLE);
        return 0;
    }
    uint32_t whole = n->sectors & ~(uint32_t)n->partial;
    if (n->kind == SECTOR_WRITE) lookup(l1, n->line, whole);
    if (whole) sector_log_add(&b->sectors, n, whole, n->kind);
    if (n->partial) sector_log_add(&b->sectors, n, n->partial, SECTOR_WRITE_PARTIAL);
    return 0;
}

void l1_settle(struct l1 *l1, struct sim_block *b)
{
    for (uint32_t left = l1->notes; left;) {
        for (uint32_t w = 0; w < l1->warps; w++) {
            struct queue *q = &l1->queue[w];
            if (q->next == q->count) continue;
            uint32_t op = q->note[q->next].op, record = q->note[q->next].record, missing = 0;
            do {
                missing |= settle_note(l1, b, &q->note[q->next++]);
                left--;
            } while (q->next < q->count && !(q->note[q->next].flags & NOTE_FIRST));
            b->worker->op[op].global_ld_missed_requests += missing != 0;
            if (record && missing) trace_missed(q->trace, record);
        }
    }
    for (uint32_t w = 0; w < l1->warps; w++) {
        struct queue *q = &l1->queue[w];
        q->count = q->next = q->last = 0;
        if (l1->notes_most == NOTES_MAX) continue;
        free(q->note); // the limit is one for all warps together
        q->note = NULL;
        q->capacity = 0;
    }
    l1->notes = 0;
}

void l1_log_free(struct sector_log *log)
{
    free(log->entry);
    memset(log, 0, sizeof *log);
}
