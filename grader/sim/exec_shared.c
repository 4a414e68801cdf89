// Loads and stores of shared memory.
//
// Technique. Most accesses are of 32 bits and regular: a warp's four segments of eight lanes are each consecutive or
// uniform. Such an access is checked, recorded and moved eight words at a time with vectors; bounds are two
// comparisons, and the words lie in one wavefront when they span no more than 128 bytes. Whatever is out of the
// ordinary in the words' cells (a possible race, an unwritten byte, a split word) makes the fast path give up before
// it has changed anything, and the access is done again lane by lane (shadow_read, shadow_write), which reports.
#include <string.h>

#include "device/banks.h"
#include "sim/access.h"
#include "sim/shadow.h"
#include "sim/shape.h"

// 1 when [lo, hi) lies in one array: the symbol's where it is known.
static inline int in_one_array(const struct sim_memory *m, int32_t symbol, uint32_t lo, uint32_t hi)
{
    for (uint32_t i = 0; i < m->nextents; i++) {
        const struct shared_extent *e = &m->extent[i];
        if (lo >= e->lo && hi <= e->hi) return symbol < 0 || e->var == symbol;
    }
    return 0;
}

// 1 when the shadow's rules are the simple ones: barriers of whole blocks and whole warps, no strong accesses since.
static inline int is_simple(const struct sim_shadow *s, const struct sim_warp *w)
{
    return s->strong <= s->floor && !s->warps_apart && !s->handover && !(s->lanes_apart >> w->id & 1);
}

// Cells whose last write is ordered before the eight threads from `thread` on (or is their own).
static inline v8u writes_ordered(const struct sim_shadow *s, const struct sim_warp *w, uint32_t cell, v8u thread)
{
    v8u stamp = get(s->word.write_stamp + cell);
    v8u ordered = V8(stamp <= splat(s->floor));
    if (!any(~ordered)) return ordered;
    v8u who = get(s->word.writer + cell) & splat(1023);
    ordered |= V8(who == thread);
    ordered |= V8((who >> 5) == splat(w->id)) & V8(stamp <= splat(s->warp_floor[w->id]));
    return ordered & V8((v8s)stamp >= 0); // neither split nor flying: those have the highest bit
}

// ---------------------------------------------------------------- loads

// 1 when eight lanes from `lane` on may read the words from `cell` on: all written, no race.
static inline int may_load(const struct sim_shadow *s, const struct sim_warp *w, uint32_t cell, uint32_t lane)
{
    v8u stamp = get(s->word.write_stamp + cell);
    if (!any(V8(stamp - splat(s->born) > splat(s->floor - s->born)))) return 1;
    if (any(V8(stamp < splat(s->born)))) return 0;
    return !any(~writes_ordered(s, w, cell, lane_iota + splat(w->id * WARP_LANES + lane)));
}

// The same for one word read by several lanes.
static inline int may_load_one(const struct sim_shadow *s, const struct sim_warp *w, uint32_t cell)
{
    uint32_t stamp = s->word.write_stamp[cell];
    if (stamp - s->born <= s->floor - s->born) return 1;
    return stamp >= s->born && stamp < SHADOW_FLYING && s->word.writer[cell] % 1024 / 32 == w->id &&
           stamp <= s->warp_floor[w->id];
}

// Records reads of consecutive words by eight lanes: record_read of cell.c, eight cells at a time.
static inline void record_loads(struct sim_shadow *s, const struct sim_warp *w, uint32_t op, uint32_t cell,
                                uint32_t lane, uint32_t segments)
{
    struct shadow_cells *c = &s->word;
    v8u stamp = get(c->read_stamp + cell), reader = get(c->reader + cell);
    v8u stale = V8(stamp <= splat(s->floor)), own = V8((reader & splat(31)) == splat(w->id));
    v8u take = stale | own, bits = lane_bits * splat(segments);
    if (any(take)) {
        v8u keep = own & ~stale & V8(stamp > splat(s->warp_floor[w->id]));
        v8u lanes = get(c->read_lanes + cell);
        put(c->read_stamp + cell, select(take, splat(s->clock), stamp));
        put(c->reader + cell, select(take, splat(op << 5 | w->id), reader));
        put(c->read_lanes + cell, select(take, (lanes & keep) | bits, lanes));
        if (!any(~take)) return;
    }
    v8u other = get(c->other_stamp + cell), missing = ~take & V8(other <= splat(s->floor));
    if (!any(missing)) return;
    v8u who = get(c->other + cell), me = splat(op << 10 | (w->id * WARP_LANES + lane)) + lane_iota;
    put(c->other_stamp + cell, select(missing, splat(s->clock), other));
    put(c->other + cell, select(missing, me, who));
}

static inline void record_load_one(struct sim_shadow *s, const struct sim_warp *w, uint32_t op, uint32_t cell,
                                   uint32_t lanes)
{
    struct shadow_cells *c = &s->word;
    uint32_t stamp = c->read_stamp[cell], own = c->reader[cell] % 32 == w->id;
    if (stamp <= s->floor || (own && stamp <= s->warp_floor[w->id])) {
        c->read_lanes[cell] = lanes;
    } else if (own) {
        c->read_lanes[cell] |= lanes;
    } else {
        if (c->other_stamp[cell] > s->floor) return;
        c->other_stamp[cell] = s->clock;
        c->other[cell] = op << 10 | (w->id * WARP_LANES + (uint32_t)__builtin_ctz(lanes));
        return;
    }
    c->read_stamp[cell] = s->clock;
    c->reader[cell] = op << 5 | w->id;
}

static inline void count_load(struct sim_warp *w, const struct sim_access *a, uint32_t wavefronts, uint32_t conflicts)
{
    struct counters *c = access_counters(w, a);
    c->shared_ld_inst++;
    c->shared_ld_wavefronts += wavefronts;
    c->shared_ld_conflicts += conflicts;
    c->lsu_wavefronts += wavefronts;
}

// Segments with the same words are recorded together: the first lane of each, from this one on.
static inline uint32_t same_words(const struct shape *shape, uint32_t from)
{
    uint32_t first = 0, uniform = shape->uniform >> from & 1;
    for (uint32_t k = from; k < SEGMENTS; k++) {
        if (!(shape->active >> k & 1) || (shape->uniform >> k & 1) != uniform) continue;
        if (shape->base[k] == shape->base[from]) first |= 1u << (k * SEGMENT);
    }
    return first;
}

static inline int load_fast(struct sim_warp *w, const struct sim_access *a, uint32_t *row)
{
    struct shape shape;
    struct sim_shadow *s = w->block->shadow;
    if (!shape_of(a, 0, &shape)) return 0;
    if (!in_one_array(access_launch(w)->memory, a->symbol, shape.lo, shape.hi)) return 0;
    if (s) {
        if (!is_simple(s, w)) return 0;
        for (uint32_t k = 0; k < SEGMENTS; k++) {
            if (!(shape.active >> k & 1)) continue;
            if (shape.uniform >> k & 1 ? !may_load_one(s, w, shape.base[k] / 4)
                                       : !may_load(s, w, shape.base[k] / 4, k * SEGMENT)) {
                return 0;
            }
        }
    }
    uint32_t done = 0;
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        if (!(shape.active >> k & 1)) continue;
        const uint32_t *from = (const uint32_t *)(const void *)(w->block->shared + shape.base[k]);
        uint32_t uniform = shape.uniform >> k & 1;
        put(row + k * SEGMENT, uniform ? splat(*from) : get(from));
        if (!s || (done >> (k * SEGMENT) & 1)) continue;
        uint32_t same = same_words(&shape, k);
        if (uniform)
            record_load_one(s, w, a->op, shape.base[k] / 4, same * 0xff);
        else
            record_loads(s, w, a->op, shape.base[k] / 4, k * SEGMENT, same);
        done |= same;
    }
    struct bank_cost cost = shape_cost(a, &shape);
    count_load(w, a, cost.wavefronts, cost.conflicts);
    return 1;
}

static int is_plain_word(const struct sim_access *a)
{
    return shape_is_plain_word(a) && !a->async && a->op < SHADOW_OPS;
}

static void place_lanes(const struct sim_warp *w, const struct sim_access *a, uint32_t good, struct access_lanes *lanes)
{
    lanes->mask = good;
    for (uint32_t left = good; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        lanes->host[l] = w->block->shared + a->address[l];
    }
}

void shared_load(struct sim_warp *w, const struct sim_access *a, void *const row[], uint32_t valid[])
{
    if (is_plain_word(a) && load_fast(w, a, row[0])) return;
    struct access_lanes lanes;
    uint32_t good = shared_good(w, a);
    place_lanes(w, a, good, &lanes);
    for (uint32_t left = w->block->shadow ? good : 0; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        for (uint32_t e = 0; e < a->count; e++) {
            int defined = shadow_read(w, a, l, (uint32_t)a->address[l] + e * a->bytes, a->count == 1);
            if (!defined && valid) valid[e] &= ~(1u << l);
        }
    }
    if (good != a->mask) access_zero_lanes(a, a->mask & ~good, row);
    access_load_lanes(a, &lanes, row);
    struct bank_cost cost = banks_access(a->address, good, access_total_bytes(a), BANKS_LOAD);
    count_load(w, a, cost.wavefronts, cost.conflicts);
}

// ---------------------------------------------------------------- stores

// 1 when eight lanes from `lane` on may write the words from `cell` on without a race.
static inline int may_store(const struct sim_shadow *s, const struct sim_warp *w, uint32_t cell, uint32_t lane)
{
    const struct shadow_cells *c = &s->word;
    if (any(~writes_ordered(s, w, cell, lane_iota + splat(w->id * WARP_LANES + lane)))) return 0;
    v8u stamp = get(c->read_stamp + cell), ordered = V8(stamp <= splat(s->floor));
    if (!any(~ordered)) return 1;
    v8u own = V8((get(c->reader + cell) & splat(31)) == splat(w->id));
    v8u alone = V8((get(c->read_lanes + cell) & ~(lane_bits << splat(lane))) == splat(0));
    ordered |=
        own & (alone | V8(stamp <= splat(s->warp_floor[w->id]))) & V8(get(c->other_stamp + cell) <= splat(s->floor));
    return !any(~ordered);
}

// 1 when no word is named twice.
static inline int all_distinct(const struct shape *shape)
{
    if (shape->uniform) return 0;
    for (uint32_t k = 1; k < SEGMENTS; k++) {
        for (uint32_t n = 0; n < k; n++) {
            if (!(shape->active >> k & 1) || !(shape->active >> n & 1)) continue;
            if (shape->base[k] - shape->base[n] + 4 * SEGMENT - 1 < 8 * SEGMENT - 1) return 0;
        }
    }
    return 1;
}

static inline void count_store(struct sim_warp *w, const struct sim_access *a, struct bank_cost cost)
{
    struct counters *c = access_counters(w, a);
    c->shared_st_inst++;
    c->shared_st_wavefronts += cost.wavefronts;
    c->shared_st_conflicts += cost.conflicts;
    c->lsu_wavefronts += cost.wavefronts;
}

static inline int store_fast(struct sim_warp *w, const struct sim_access *a, const uint32_t *row)
{
    struct shape shape;
    struct sim_shadow *s = w->block->shadow;
    if (!shape_of(a, 0, &shape) || !all_distinct(&shape)) return 0;
    if (!in_one_array(access_launch(w)->memory, a->symbol, shape.lo, shape.hi)) return 0;
    if (s && !is_simple(s, w)) return 0;
    for (uint32_t k = 0; s && k < SEGMENTS; k++) {
        if ((shape.active >> k & 1) && !may_store(s, w, shape.base[k] / 4, k * SEGMENT)) return 0;
    }
    for (uint32_t k = 0; k < SEGMENTS; k++) {
        if (!(shape.active >> k & 1)) continue;
        put((uint32_t *)(void *)(w->block->shared + shape.base[k]), get(row + k * SEGMENT));
        if (!s) continue;
        uint32_t cell = shape.base[k] / 4;
        put(s->word.write_stamp + cell, splat(s->clock));
        put(s->word.writer + cell, splat(a->op << 10 | (w->id * WARP_LANES + k * SEGMENT)) + lane_iota);
        put(s->word.read_stamp + cell, splat(0));
        put(s->word.other_stamp + cell, splat(0));
    }
    count_store(w, a, shape_cost(a, &shape));
    return 1;
}

static int all_valid(const struct sim_access *a, const uint32_t valid[])
{
    return !valid || (a->mask & ~valid[0]) == 0;
}

void shared_store(struct sim_warp *w, const struct sim_access *a, const void *const row[], const uint32_t valid[])
{
    if (is_plain_word(a) && all_valid(a, valid) && store_fast(w, a, row[0])) return;
    uint32_t good = shared_good(w, a);
    for (uint32_t left = good; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        for (uint32_t e = 0; e < a->count; e++) {
            uint32_t at = (uint32_t)a->address[l] + e * a->bytes;
            uint64_t fresh = access_row_get(row[e], l, a->row_bytes);
            if (w->block->shadow) shadow_write(w, a, l, at, &fresh, !valid || (valid[e] >> l & 1));
            memcpy(w->block->shared + at, &fresh, a->bytes);
        }
    }
    count_store(w, a, banks_access(a->address, good, access_total_bytes(a), BANKS_STORE));
}
