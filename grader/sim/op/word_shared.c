// Implements the fast path for loads and stores of shared memory. The fast path executes accesses to one 32-bit word
// per lane with an access pattern (machine/pattern.h). An access has a pattern if each segment of eight lanes accesses
// consecutive words, accesses one word or is inactive.
//
// Technique. The fast path uses vector instructions of the host to check, record and move eight words at a time. The
// bounds check of an access is one subtraction and one comparison. If the shadow cells of the accessed words show a
// possible race, an unwritten byte or a split word, the fast path gives up before it changes memory, registers or
// shadow cells. An access on which the fast path gives up is executed lane by lane by machine/shared_lanes.c, which
// reports findings.
#include "sim/core/access.h"
#include "sim/core/lanes.h"
#include "sim/core/region.h"
#include "sim/core/vector_level.h"
#include "sim/hazard/plain.h"
#include "sim/hazard/shadow.h"
#include "sim/hazard/stamp.h"
#include "sim/machine/pattern.h"
#include "sim/op/exec.h"

// Describes one memory access of one warp while the access is checked.
struct word_access {
    struct sim_warp *w;
    const struct sim_access *a; // without mask and addresses
    const struct pattern *pattern;
    uint32_t base; // address of the first lane in the shared window
};

static inline uint32_t at(const struct word_access *x, uint32_t k)
{
    return x->base + (uint32_t)x->pattern->at[k];
}

static inline uint32_t cell_at(const struct word_access *x, uint32_t k)
{
    return at(x, k) / 4;
}

// Returns 1 if all eight lanes of segment k of the warp (lanes 8 k to 8 k + 7) access the same word.
static inline uint32_t one_word(const struct word_access *x, uint32_t k)
{
    return x->pattern->uniform >> k & 1;
}

// Returns the index in the block of the thread that runs in lane 8 k of the warp, the first lane of segment k.
static inline uint32_t thread_at(const struct word_access *x, uint32_t k)
{
    return x->w->id * WARP_LANES + k * SEGMENT;
}

#define FOR_SEGMENTS(x, k)                                                                                             \
    for (uint32_t k = 0; k < SEGMENTS; k++)                                                                            \
        if ((x)->pattern->active >> k & 1)

// Compares the last writes in the eight shadow cells from `cell` on with the current accesses of the eight threads in
// `thread`. In the returned vector, element i is all ones if the last write in the i-th cell is ordered before the
// access of the i-th thread.
static inline v8u writes_ordered(const struct sim_shadow *s, const struct sim_warp *w, uint32_t cell, v8u thread)
{
    v8u stamp = get(s->word.write_stamp + cell);
    v8u ordered = V8(stamp <= splat(s->floor));
    if (!any(~ordered)) return ordered;
    v8u access = get(s->word.writer + cell);
    ordered = V8(STAMP_IS_ORDERED(s, stamp, access, w->id, thread));
    return ordered & V8((v8s)stamp >= 0); // split words and words in flight have the highest bit set
}

// ---------------------------------------------------------------- loads

enum { MAY_NOT, MAY, ALL_MAY }; // some lane may not read its word; each lane may read its own; any lane may read any

// Checks whether lanes 8 k to 8 k + 7 (segment k) may read their words. A lane may read a word if the block has written
// all bytes of the word, and if the last write to the word is ordered before the read.
static inline int may_load(const struct word_access *x, const struct sim_shadow *s, uint32_t k)
{
    uint32_t cell = cell_at(x, k);
    if (one_word(x, k)) return plain_may_read(s, cell, x->w->id) ? ALL_MAY : MAY_NOT;
    v8u stamp = get(s->word.write_stamp + cell);
    if (!any(V8(stamp - splat(s->first_stamp) > splat(s->floor - s->first_stamp)))) return ALL_MAY;
    if (any(V8(stamp < splat(s->first_stamp)))) return MAY_NOT;
    return any(~writes_ordered(s, x->w, cell, lane_iota + splat(thread_at(x, k)))) ? MAY_NOT : MAY;
}

// Records the reads of lanes 8 k to 8 k + 7 (segment k), which read eight consecutive words. If a later group of eight
// lanes reads the same eight words as segment k, record_loads() records the reads of that group, too. The function
// record_loads() does the same as plain_record_read(), but for eight shadow cells at a time.
static inline void record_loads(const struct word_access *x, struct sim_shadow *s, uint32_t k)
{
    struct shadow_cells *c = &s->word;
    uint32_t cell = cell_at(x, k), id = x->w->id;
    v8u stamp = get(c->read_stamp + cell), reader = get(c->reader + cell);
    v8u stale = V8(stamp <= splat(s->floor)), own = V8(STAMP_WARP_ACCESS_WARP(reader) == id);
    v8u take = stale | own, bits = splat(0);
    for (uint32_t n = k; n < SEGMENTS; n++)
        if (x->pattern->twin[k] >> n & 1) bits |= lane_bits << (n * SEGMENT);
    if (any(take)) {
        v8u keep = own & ~stale & V8(stamp > splat(s->warp_floor[id]));
        v8u lanes = get(c->read_lanes + cell), me = lane_iota + splat(thread_at(x, k)), fresh = take;
        if (any(keep)) fresh &= ~(keep & V8(STAMP_THREAD(get(c->writer + cell)) == me)); // as in join_set()
        put(c->read_stamp + cell, choose(take, splat(s->clock), stamp));
        put(c->reader + cell, choose(fresh, splat(STAMP_WARP_ACCESS(x->a->op, id)), reader));
        put(c->read_lanes + cell, choose(take, (lanes & keep) | bits, lanes));
        if (!any(~take)) return;
    }
    v8u other = get(c->other_stamp + cell), missing = ~take & V8(other <= splat(s->floor));
    if (!any(missing)) return;
    put(c->other_stamp + cell, choose(missing, splat(s->clock), other));
    put(c->other + cell, choose(missing, splat(STAMP_WARP_ACCESS(x->a->op, id)), get(c->other + cell)));
    put(c->other_lanes + cell, choose(missing, bits, get(c->other_lanes + cell)));
}

// Records the reads of lanes 8 k to 8 k + 7 (segment k), which all read one word. If all lanes of a later group of
// eight lanes read the same word as segment k, record_load_one() records the reads of that group, too.
static inline void record_load_one(const struct word_access *x, struct sim_shadow *s, uint32_t k)
{
    uint32_t lanes = 0;
    for (uint32_t n = k; n < SEGMENTS; n++)
        if (x->pattern->twin[k] >> n & 1) lanes |= 0xffu << (n * SEGMENT);
    plain_record_read(s, cell_at(x, k), x->w->id, x->a->op, lanes);
}

// If the load has no race and reads no unwritten byte, records the load and returns 1. If the load may have a race or
// reads an unwritten byte, check_load() returns 0 and records nothing.
static int check_load(struct sim_warp *w, const struct sim_access *a, const struct pattern *pattern, uint32_t base)
{
    const struct word_access here = {w, a, pattern, base}, *x = &here;
    struct sim_shadow *s = w->block->shadow;
    if (!plain_is_simple(s, w->id) || a->op >= SHADOW_OPS) return 0;
    uint32_t sure = 0; // segments that need no further check
    FOR_SEGMENTS(x, k)
    {
        if (sure >> k & 1) continue;
        int may = may_load(x, s, k);
        if (may == MAY_NOT) return 0;
        if (may == ALL_MAY) sure |= pattern->twin[k];
    }
    FOR_SEGMENTS(x, k)
    {
        if (pattern->again >> k & 1) continue;
        if (one_word(x, k))
            record_load_one(x, s, k);
        else
            record_loads(x, s, k);
    }
    return 1;
}

// ---------------------------------------------------------------- stores

// Returns 1 if lanes 8 k to 8 k + 7 (segment k) may write their words without a race.
static inline int may_store(const struct word_access *x, const struct sim_shadow *s, uint32_t k)
{
    const struct shadow_cells *c = &s->word;
    uint32_t cell = cell_at(x, k), id = x->w->id;
    if (any(~writes_ordered(s, x->w, cell, lane_iota + splat(thread_at(x, k))))) return 0;
    v8u stamp = get(c->read_stamp + cell), ordered = V8(stamp <= splat(s->floor));
    if (!any(~ordered)) return 1;
    v8u own = V8(STAMP_WARP_ACCESS_WARP(get(c->reader + cell)) == id);
    v8u alone = V8((get(c->read_lanes + cell) & ~(lane_bits << (k * SEGMENT))) == splat(0));
    ordered |=
        own & (alone | V8(stamp <= splat(s->warp_floor[id]))) & V8(get(c->other_stamp + cell) <= splat(s->floor));
    return !any(~ordered);
}

static inline void record_stores(const struct word_access *x, struct sim_shadow *s, uint32_t k)
{
    uint32_t cell = cell_at(x, k);
    put(s->word.write_stamp + cell, splat(s->clock));
    put(s->word.writer + cell, splat(STAMP_ACCESS(x->a->op, thread_at(x, k))) + lane_iota);
    put(s->word.read_stamp + cell, splat(0));
    put(s->word.other_stamp + cell, splat(0));
}

// If the store has no race, records the store and returns 1. If the store may have a race, check_store() returns 0 and
// records nothing.
static int check_store(struct sim_warp *w, const struct sim_access *a, const struct pattern *pattern, uint32_t base)
{
    const struct word_access here = {w, a, pattern, base}, *x = &here;
    struct sim_shadow *s = w->block->shadow;
    if (!plain_is_simple(s, w->id) || a->op >= SHADOW_OPS) return 0;
    FOR_SEGMENTS(x, k) if (!may_store(x, s, k)) return 0;
    FOR_SEGMENTS(x, k) record_stores(x, s, k);
    return 1;
}

// ---------------------------------------------------------------- handlers

// Searches for the shared array that contains the whole access, and stores the array's bounds in the pattern. If
// lowering found out which shared variable the access belongs to, only that variable's array is considered. Returns 1
// if an array contains the access, otherwise 0.
static __attribute__((noinline)) int find_array(const struct warp *w, const struct sim_op *op, struct pattern *s,
                                                uint64_t base)
{
    const struct sim_memory *m = access_launch(&w->memory)->memory;
    int32_t symbol = w->plan->memory[op->side].access.symbol;
    uint64_t from = base + (uint64_t)(int64_t)s->lo;
    for (uint32_t i = 0; i < m->nextents; i++) {
        const struct shared_extent *e = &m->extent[i];
        if (from < e->lo || from >= e->hi || e->hi - from < s->span) continue;
        if (symbol >= 0 && e->var != symbol) continue;
        s->low = e->lo;
        s->room = e->hi - e->lo - s->span + 1;
        return 1;
    }
    return 0;
}

// Returns the pattern of the access, and stores the address of the first lane in *base. Returns NULL if the access is
// misaligned, does not lie within one array, or has no pattern (machine/pattern.h).
static inline struct pattern *find(struct warp *w, const struct sim_op *op, uint32_t mask, uint64_t *base)
{
    struct pattern *s = exec_pattern(w, op, mask, base);
    *base &= exec_address_bits(SPACE_SHARED);
    if (!s || *base % 4) return NULL;
    if (*base + (uint64_t)(int64_t)s->lo - s->low >= s->room && !find_array(w, op, s, *base)) return NULL;
    return s;
}

// Returns the same as find() if the access has the pattern of the op's previous access and lies in the same array,
// which is the usual case. If the access differs in pattern or array from the op's previous access, find_again()
// returns NULL. All functions that find_again() calls are inlined.
static inline struct pattern *find_again(struct warp *w, const struct sim_op *op, uint32_t mask, uint64_t *base)
{
    struct pattern *s = &w->pattern[op->side];
    const uint8_t *row = w->rows + op->a;
    if (w->frame || !pattern_matches(s, row, op->mode, mask)) return NULL;
    *base = pattern_address(row, op->mode, s->first) + (uint64_t)(int64_t)(int32_t)op->e;
    *base &= exec_address_bits(SPACE_SHARED);
    return *base % 4 == 0 && *base + (uint64_t)(int64_t)s->lo - s->low < s->room ? s : NULL;
}

// The handler of loads of shared memory is split into three functions: ld_B32_SHARED(), load_checked() and load_any().
// The function ld_B32_SHARED() itself executes loads whose pattern is that of the op's previous execution, if accesses
// are not checked. The function ld_B32_SHARED() calls load_checked() if loads must be checked for races and unwritten
// memory, and load_any() if the access pattern has changed. Because load_checked() and load_any() are not inlined,
// ld_B32_SHARED() itself saves no registers for calls.
static __attribute__((noinline)) void load_checked(struct warp *w, const struct sim_op *op, uint32_t mask,
                                                   struct pattern *s, uint64_t base)
{
    const struct sim_block *b = w->memory.block;
    if (!s || (b->shadow && !check_load(&w->memory, &w->plan->memory[op->side].access, s, (uint32_t)base))) {
        exec_load(w, op, mask);
        return;
    }
    pattern_load(s, b->shared + base, warp_row(w, op->d));
    s->runs++;
}

static __attribute__((noinline)) void load_any(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint64_t base = 0;
    struct pattern *s = find(w, op, mask, &base);
    load_checked(w, op, mask, s, base);
}

static void ld_B32_SHARED(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    const struct sim_block *b = w->memory.block;
    uint64_t base;
    struct pattern *s = find_again(w, op, mask, &base);
    if (!s) {
        load_any(w, op, mask);
    } else if (b->shadow) {
        load_checked(w, op, mask, s, base);
    } else {
        pattern_load(s, b->shared + base, warp_row(w, op->d));
        s->runs++;
    }
}

static __attribute__((noinline)) void store_checked(struct warp *w, const struct sim_op *op, uint32_t mask,
                                                    struct pattern *s, uint64_t base)
{
    const struct sim_block *b = w->memory.block;
    if (!s || !s->distinct ||
        (b->shadow && !check_store(&w->memory, &w->plan->memory[op->side].access, s, (uint32_t)base))) {
        exec_store(w, op, mask);
        return;
    }
    pattern_store(s, b->shared + base, warp_row(w, op->b));
    s->runs++;
}

static __attribute__((noinline)) void store_any(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint64_t base = 0;
    struct pattern *s = w->nundef ? NULL : find(w, op, mask, &base);
    store_checked(w, op, mask, s, base);
}

static void st_B32_SHARED(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    uint64_t base;
    struct pattern *s = w->nundef ? NULL : find_again(w, op, mask, &base);
    if (!s)
        store_any(w, op, mask);
    else
        store_checked(w, op, mask, s, base);
}

const struct sim_handler_row SIM_NAME(exec_word_shared)[] = {ROWENTRY(ld, B32, SHARED)
                                                                 ROWENTRY(st, B32, SHARED){0, NULL}};
