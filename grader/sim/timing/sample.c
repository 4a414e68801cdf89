// Keeps one request of each memory access of a kernel; sample.h states the contracts.
//
// Technique. sample_take() is called at the first execution of a memory access, and whenever the access pattern differs
// from the pattern of the previous execution. In a loop, the access pattern changes rarely, so the sampling costs
// little time. The first block of a launch starts without stored access patterns, so the samples do not depend on
// earlier launches. For each memory access of the kernel, sample_take() keeps the request with the largest excess. The
// excess of a request to global memory is its number of sectors minus the fewest sectors that hold its bytes. The
// excess of a request to shared memory is its number of bank conflicts. Of requests with equal excess, sample_take()
// keeps the request with the most active lanes. Of requests with equal excess and equally many active lanes,
// sample_take() keeps the first.
#include "sim/timing/sample.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "device/banks.h"
#include "device/coalesce.h"
#include "ptx/ptx.h"
#include "sim/core/access.h"
#include "sim/core/program.h"
#include "sim/hazard/demangle.h"
#include "sim/hazard/diagnose.h"

void sample_begin(struct sample_set *s, uint32_t count)
{
    if (!s->of) s->of = alloc_zeroed(count, sizeof *s->of);
    s->count = count;
    for (uint32_t k = 0; k < count; k++) s->of[k].access.mask = 0;
}

void sample_free(struct sample_set *s)
{
    free(s->of);
    s->of = NULL;
}

// Resolves the memory space of an access and makes shared addresses relative to the space's start. Returns 1. Returns 0
// if the access is neither to global nor to shared memory, or if the access was merged into another access.
static int settle(struct sim_access *a)
{
    if (!a->mask || a->merged == SIM_MERGED_AWAY) return 0;
    if (a->space == SPACE_NONE) {
        uint64_t any = a->address[__builtin_ctz(a->mask)], window = any - any % ((uint64_t)1 << 40);
        a->space = window == SIM_SHARED_WINDOW ? SPACE_SHARED : SPACE_GLOBAL;
        if (window > SIM_SHARED_WINDOW || (window >= SIM_PARAM_WINDOW && window < SIM_SHARED_WINDOW)) return 0;
        for (uint32_t l = 0; a->space == SPACE_SHARED && l < WARP_LANES; l++) a->address[l] -= window;
    }
    if (a->space != SPACE_GLOBAL && a->space != SPACE_SHARED) return 0;
    uint32_t bytes = access_total_bytes(a);
    for (uint32_t l = 0; a->merged && l < WARP_LANES; l++) a->address[l] &= ~(uint64_t)(a->merged - 1u);
    if (a->merged) bytes = a->merged;
    a->bytes = (uint8_t)(bytes > 16 ? 16 : bytes);
    a->count = 1;
    return 1;
}

static uint32_t excess_of(const struct sim_access *a)
{
    static const enum bank_kind kind[ACCESS_KINDS] = {
        [ACCESS_WRITE] = BANKS_STORE, [ACCESS_READ] = BANKS_LOAD, [ACCESS_ATOMIC] = BANKS_ATOMIC};
    if (a->space == SPACE_SHARED) return banks_access(a->address, a->mask, a->bytes, kind[a->kind]).conflicts;
    struct coalesced c = coalesce(a->address, a->mask, a->bytes);
    uint32_t fewest = (c.bytes + COALESCE_SECTOR - 1) / COALESCE_SECTOR;
    return c.sectors > fewest ? c.sectors - fewest : 0;
}

static uint32_t lanes_of(const struct sim_access *a)
{
    return (uint32_t)__builtin_popcount(a->mask);
}

void sample_take(struct sample_set *s, const struct sim_warp *w, uint32_t which, const struct sim_access *a)
{
    struct sample *best = &s->of[which], now = {.access = *a, .warp = w->id};
    if (!settle(&now.access)) return;
    now.excess = excess_of(&now.access);
    if (best->access.mask &&
        (now.excess < best->excess || (now.excess == best->excess && lanes_of(&now.access) <= lanes_of(&best->access))))
        return;
    *best = now;
    memcpy(s->block, w->block->index, sizeof s->block);
}

// ---------------------------------------------------------------- to the observation

static void describe(const struct sample *s, const struct sample_set *all, const struct sim_launch *launch,
                     struct line_access *out)
{
    const struct sim_access *a = &s->access;
    struct finding_place place = program_op_place(launch->program, a->op);
    uint64_t any = a->address[__builtin_ctz(a->mask)];
    struct diagnose_target t = a->space == SPACE_SHARED ? diagnose_shared(launch->memory, a->symbol, any)
                                                        : diagnose_global(launch->memory, any);
    *out = (struct line_access){.file = place.file,
                                .space = a->space,
                                .kind = a->kind,
                                .bytes = a->bytes,
                                .line = place.line,
                                .mask = a->mask,
                                .warp = s->warp,
                                .excess = s->excess,
                                .buffer = t.buffer,
                                .origin = any - (uint64_t)t.offset};
    memcpy(out->block, all->block, sizeof out->block);
    if (t.var >= 0) demangle(out->symbol, launch->program->module->var[t.var].name);
    for (uint32_t l = 0; l < WARP_LANES; l++) out->address[l] = a->mask >> l & 1 ? a->address[l] : 0;
}

static int compare(uint64_t x, uint64_t y)
{
    return x < y ? -1 : x > y;
}

// Compares two accesses for qsort(): by source line, then by memory space and kind, then by cost, the highest first. Of
// the accesses with equal line, space and kind, sample_observe() keeps only the first.
static int by_line(const void *x, const void *y)
{
    const struct line_access *a = x, *b = y;
    int order = compare(a->file, b->file);
    if (!order) order = compare(a->line, b->line);
    if (!order) order = compare(a->space, b->space);
    if (!order) order = compare(a->kind, b->kind);
    if (!order) order = compare(b->excess, a->excess);
    if (!order) order = compare((uint64_t)__builtin_popcount(b->mask), (uint64_t)__builtin_popcount(a->mask));
    return order ? order : compare(a->address[__builtin_ctz(a->mask)], b->address[__builtin_ctz(b->mask)]);
}

static int is_same(const struct line_access *a, const struct line_access *b)
{
    return a->file == b->file && a->line == b->line && a->space == b->space && a->kind == b->kind;
}

void sample_observe(const struct sample_set *s, const struct sim_launch *launch, struct observation *o)
{
    struct line_access *all = alloc_zeroed(s->count, sizeof *all);
    uint32_t n = 0;
    for (uint32_t k = 0; k < s->count; k++)
        if (s->of[k].access.mask) describe(&s->of[k], s, launch, &all[n++]);
    qsort(all, n, sizeof *all, by_line);
    o->naccesses = 0;
    for (uint32_t k = 0; k < n && o->naccesses < OBSERVATION_ACCESSES; k++)
        if (!o->naccesses || !is_same(&all[k], &o->access[o->naccesses - 1])) o->access[o->naccesses++] = all[k];
    free(all);
}
