// Implements the fast path for loads and stores of global memory. The fast path executes accesses to one 32-bit word
// per lane with an access pattern (machine/pattern.h), in one memory region. The fast path checks and moves the words
// of eight lanes at a time. If the fast path does not apply (invalid lanes, words never written, arrays accessed by
// bytes), machine/access.c executes the access. Before the fast path changes memory or counts the access, it decides
// whether it applies to the access.
#include "sim/core/access.h"
#include "sim/core/lanes.h"
#include "sim/core/vector_level.h"
#include "sim/hazard/race.h"
#include "sim/machine/access.h"
#include "sim/machine/pattern.h"
#include "sim/op/exec.h"
#include "sim/timing/l1.h"

// Describes one memory access of one warp.
struct word_access {
    struct warp *warp;
    const struct sim_op *op;
    struct pattern *pattern;
    struct sim_region *region;
    uint64_t base; // of the first lane, relative to the region's first byte
};

#define FOR_SEGMENTS(x, k)                                                                                             \
    for (uint32_t k = 0; k < SEGMENTS; k++)                                                                            \
        if ((x)->pattern->active >> k & 1)

static inline uint64_t at(const struct word_access *x, uint32_t k)
{
    return x->base + (uint64_t)(int64_t)x->pattern->at[k];
}

// Returns 1 if all eight lanes of segment k of the warp (lanes 8 k to 8 k + 7) access the same word.
static inline uint32_t one_word(const struct word_access *x, uint32_t k)
{
    return x->pattern->uniform >> k & 1;
}

// Returns 1 if the access is aligned, lies in one memory region and has a pattern. An access has a pattern if each
// group of eight lanes accesses consecutive words, accesses one word or is inactive (machine/pattern.h). When find()
// returns 1, it has also filled in all fields of *x.
static inline int find(struct word_access *x, uint32_t mask)
{
    const struct pattern *s = x->pattern = exec_pattern(x->warp, x->op, mask, &x->base);
    if (!s) return 0;
    struct sim_region *r = region_at(access_launch(&x->warp->memory)->memory, x->base);
    if (!r || r->unit_shift != 2 || r->bytes < s->span) return 0;
    x->region = r;
    x->base -= r->base;
    return x->base % 4 == 0 && x->base + (uint64_t)(int64_t)s->lo <= r->bytes - s->span;
}

// Stores in *f the cache lines that the access touches, and the words that it touches in each line.
static inline void touched(const struct word_access *x, struct footprint *f)
{
    f->cells = 0;
    FOR_SEGMENTS(x, k)
    {
        if (x->pattern->again >> k & 1) continue;
        uint64_t word = (x->region->base + at(x, k)) / 4, cell = word / 32;
        uint64_t units = (uint64_t)(one_word(x, k) ? 1 : 0xff) << word % 32;
        for (; units; cell++, units >>= 32) {
            uint32_t i = 0;
            while (i < f->cells && f->cell[i] != cell) i++;
            if (i == f->cells) f->cell[i] = cell, f->unit[i] = 0, f->cells++;
            f->unit[i] |= (uint32_t)units;
        }
    }
}

static inline uint32_t sectors_of(const struct footprint *f)
{
    uint32_t sectors = 0;
    for (uint32_t i = 0; i < f->cells; i++) sectors += coalesce_sector_count(coalesce_sectors_of(f->unit[i]));
    return sectors;
}

#define ALL_WRITTEN 0x0f0f0f0f0f0f0f0fu // eight words of a region's map

static inline int is_written(const struct word_access *x)
{
    const struct sim_region *r = x->region;
    if (r->all_written) return 1;
    FOR_SEGMENTS(x, k)
    {
        uint64_t eight = ALL_WRITTEN;
        if (one_word(x, k))
            eight = r->written[at(x, k) / 4] == 0xf ? eight : 0;
        else
            memcpy(&eight, r->written + at(x, k) / 4, sizeof eight);
        if (eight != ALL_WRITTEN) return 0;
    }
    return 1;
}

// Records an access for the race check, the counters and the simulated L1 cache. `values` has the words that a store
// writes, and is NULL for a load.
static inline void note(struct word_access *x, struct footprint *f, const uint32_t *values)
{
    struct sim_warp *w = &x->warp->memory;
    const struct sim_memory_op *m = &x->warp->plan->memory[x->op->side];
    const struct sim_access *a = &m->access;
    struct sim_region *r = x->region;
    const void *rows[1] = {values};
    touched(x, f);
    access_touch_region(w, a, r, x->pattern->mask, f);
    if (r->race && (values || !race_is_only_read(access_launch(w)->memory, r, a)))
        race_access(w, exec_access(x->warp, m, x->op->a, x->pattern->mask), r, x->pattern->mask, f->cells, rows);
    struct counters *c = access_counters(w, a);
    *(values ? &c->global_st_sectors : &c->global_ld_sectors) += sectors_of(f);
    if (w->block->l1) l1_request(w->block->l1, w, a, f, NULL);
    x->pattern->runs++;
}

// Prefetches into the host's cache the words that a warp accesses next if it walks through an array in even steps. The
// prefetch hides the latency of the host's memory, in which the simulated global memory lies.
static inline void fetch_ahead(struct word_access *x)
{
    uintptr_t next = (uintptr_t)x->region->data + 2 * x->base - x->pattern->before;
    x->pattern->before = x->base;
    __builtin_prefetch((const void *)(next + (uintptr_t)x->pattern->at[0]));
    __builtin_prefetch((const void *)(next + (uintptr_t)x->pattern->at[2]));
}

static void ld_B32_GLOBAL(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    struct word_access x = {.warp = w, .op = op};
    struct footprint f;
    if (!find(&x, mask) || !is_written(&x)) {
        exec_load(w, op, mask);
        return;
    }
    fetch_ahead(&x);
    note(&x, &f, NULL);
    region_mark_read(x.region);
    pattern_load(x.pattern, x.region->data + x.base, warp_row(w, op->d));
}

static void st_B32_GLOBAL(struct warp *w, const struct sim_op *op, uint32_t mask)
{
    struct word_access x = {.warp = w, .op = op};
    struct footprint f;
    if (w->nundef || !find(&x, mask) || x.pattern->uniform) {
        exec_store(w, op, mask);
        return;
    }
    note(&x, &f, warp_row(w, op->b));
    pattern_store(x.pattern, x.region->data + x.base, warp_row(w, op->b));
    if (x.region->all_written) return;
    const uint64_t eight = ALL_WRITTEN;
    FOR_SEGMENTS(&x, k) memcpy(x.region->written + at(&x, k) / 4, &eight, sizeof eight);
}

const struct sim_handler_row SIM_NAME(exec_word_global)[] = {ROWENTRY(ld, B32, GLOBAL)
                                                                 ROWENTRY(st, B32, GLOBAL){0, NULL}};
