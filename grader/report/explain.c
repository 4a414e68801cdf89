// Implements explain.h. The figures that a report shows for a source line are quotients of the line's counters. For
// example, sectors per request is the counter of sectors divided by the counter of requests. If several kernels execute
// a source line, the line's share of each kernel's time is weighted by the kernel's time. For each memory access in the
// source, the simulator stores the addresses of one example request, which one warp made. For a memory access, the
// field `excess` of struct line_access is the number of sectors (or bank passes) that one example request of the access
// needs beyond the minimum. The cost of a memory access is `excess`, the unnecessary sectors or bank passes of its
// example request, times the number of requests of the source line. The worst access of a kernel is the memory access
// with the highest cost. If all memory accesses have the cost zero, the worst access is the access with the most
// requests.
#include "report/explain.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"

// -------------------------------------------------------------------------------------------------------------- lines
void explain_lines(struct explain *e, const char *source, size_t bytes)
{
    const char *end = source + bytes;
    uint32_t n = 0;
    for (const char *at = source; at < end; ++n) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        at = feed ? feed + 1 : end;
    }
    e->source = (struct bundle){"", source, bytes};
    e->line = alloc_zeroed(n, sizeof *e->line);
    for (const char *at = source; at < end;) {
        const char *feed = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((feed ? feed : end) - at);
        if (length && at[length - 1] == '\r') --length;
        e->line[e->nlines++] = (struct explain_line){.text = at, .length = length, .sectors = -1, .wavefronts = -1};
        at = feed ? feed + 1 : end;
    }
}

static double ratio(uint64_t a, uint64_t b)
{
    return b ? (double)a / (double)b : -1;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static uint64_t global_requests(const struct counters *c)
{
    return c->global_ld_requests + c->global_st_requests + c->global_red_requests + c->global_atom_requests;
}

static uint64_t shared_accesses(const struct counters *c)
{
    return c->shared_ld_inst + c->shared_st_inst + c->shared_atom_inst;
}

void explain_line_take(struct explain_line *line, const struct counters *c)
{
    line->counted = 1;
    line->instructions = c->ptx_inst;
    line->lanes = c->ptx_inst ? ratio(c->ptx_thread_inst, c->ptx_inst) : 0;
    // If a source line makes several kinds of memory accesses, such as loads and stores, the largest of their figures
    // is used.
    line->sectors = larger(
        larger(ratio(c->global_ld_sectors, c->global_ld_requests), ratio(c->global_st_sectors, c->global_st_requests)),
        larger(ratio(c->global_red_sectors + c->global_atom_sectors, c->global_red_requests + c->global_atom_requests),
               ratio(c->local_ld_sectors + c->local_st_sectors, c->local_ld_requests + c->local_st_requests)));
    line->wavefronts = larger(
        larger(ratio(c->shared_ld_wavefronts, c->shared_ld_inst), ratio(c->shared_st_wavefronts, c->shared_st_inst)),
        ratio(c->shared_atom_wavefronts, c->shared_atom_inst));
}

static uint64_t permille(uint64_t part, uint64_t whole)
{
    uint64_t share = whole ? (uint64_t)((unsigned __int128)part * 1000 / whole) : 0;
    return share > 1000 ? 1000 : share;
}

// Adds up the counters of each source line over all kernels.
static void take_lines(struct explain *e)
{
    struct counters *sum = alloc_zeroed(e->nlines, sizeof *sum);
    uint64_t *spent = alloc_zeroed(e->nlines, sizeof *spent), all = 0;
    for (uint32_t k = 0; k < e->profile->nkernels; ++k) {
        const struct profile_kernel *kernel = &e->profile->kernel[k];
        all += kernel->time_ps;
        for (uint32_t i = 0; i < kernel->seen->nlines; ++i) {
            const struct line_counters *from = &kernel->seen->line[i];
            if (from->file != FILE_STUDENT || !from->line || from->line > e->nlines) continue;
            counters_add(&sum[from->line - 1], &from->counters);
            spent[from->line - 1] +=
                permille(from->counters.warp_cycles, kernel->seen->counters.warp_cycles) * kernel->time_ps;
            e->line[from->line - 1].counted = 1;
        }
    }
    for (uint32_t i = 0; i < e->nlines; ++i) {
        if (!e->line[i].counted) continue;
        explain_line_take(&e->line[i], &sum[i]);
        e->line[i].time_permille = all ? (uint32_t)(spent[i] / all) : 0;
    }
    free(sum);
    free(spent);
}

// -------------------------------------------------------------------------------------------------------------- worst
static uint64_t requests_of(const struct profile_kernel *k, const struct line_access *a)
{
    for (uint32_t i = 0; i < k->seen->nlines; ++i) {
        const struct line_counters *l = &k->seen->line[i];
        if (l->file == a->file && l->line == a->line)
            return a->space == SPACE_SHARED ? shared_accesses(&l->counters) : global_requests(&l->counters);
    }
    return 0;
}

void explain_worst(struct explain *e, uint32_t space, uint32_t line)
{
    uint64_t most = 0;
    e->worst = NULL;
    e->kernel = NULL;
    e->requests = 0;
    for (uint32_t k = 0; k < e->profile->nkernels; ++k) {
        const struct profile_kernel *kernel = &e->profile->kernel[k];
        for (uint32_t i = 0; i < kernel->seen->naccesses; ++i) {
            const struct line_access *a = &kernel->seen->access[i];
            uint64_t requests = requests_of(kernel, a), cost = a->excess * requests;
            if (a->file != FILE_STUDENT || !requests) continue;
            if ((space && a->space != space) || (line && a->line != line)) continue;
            if (e->worst && (cost < most || (cost == most && (cost || requests <= e->requests)))) continue;
            most = cost;
            e->worst = a;
            e->kernel = kernel;
            e->requests = requests;
        }
    }
}

void explain_make(struct explain *e, const struct profile *profile, const char *source, size_t bytes)
{
    *e = (struct explain){.profile = profile};
    explain_lines(e, source, bytes);
    take_lines(e);
    explain_worst(e, SPACE_NONE, 0);
}

void explain_free(struct explain *e)
{
    free(e->line);
    free(e->call);
    *e = (struct explain){0};
}

// --------------------------------------------------------------------------------------------------------------- maps
static int by_address(const void *a, const void *b)
{
    uint64_t x = ((const struct sector_line *)a)->address, y = ((const struct sector_line *)b)->address;
    return x < y ? -1 : x > y;
}

void explain_sector_map_make(struct explain_sector_map *m, const struct line_access *a)
{
    struct footprint f;
    struct coalesced c = coalesce(a->address, a->mask, a->bytes);
    coalesce_footprint(&f, a->address, a->mask, a->bytes, 2);
    *m = (struct explain_sector_map){.count = f.cells, .sectors = c.sectors, .asked = c.bytes};
    m->moved = c.sectors * COALESCE_SECTOR;
    m->fewest = (c.bytes + COALESCE_SECTOR - 1) / COALESCE_SECTOR;
    if (m->fewest > m->sectors) m->fewest = m->sectors;
    for (uint32_t i = 0; i < f.cells; ++i) {
        m->line[i].address = f.cell[i] * COALESCE_LINE;
        for (uint32_t lane = 0; lane < COALESCE_LANES; ++lane) {
            if (!(a->mask >> lane & 1)) continue;
            for (uint32_t s = 0; s < COALESCE_LINE / COALESCE_SECTOR; ++s) {
                uint64_t from = m->line[i].address + s * COALESCE_SECTOR;
                if (a->address[lane] < from + COALESCE_SECTOR && a->address[lane] + a->bytes > from)
                    m->line[i].lanes[s] |= 1u << lane;
            }
        }
    }
    qsort(m->line, m->count, sizeof *m->line, by_address);
}

void explain_bank_map_make(struct explain_bank_map *m, const struct line_access *a)
{
    enum bank_kind kind = a->kind == ACCESS_ATOMIC ? BANKS_ATOMIC : a->kind == ACCESS_WRITE ? BANKS_STORE : BANKS_LOAD;
    struct bank_cost cost = banks_access(a->address, a->mask, a->bytes, kind);
    banks_steps(&m->steps, a->address, a->mask, a->bytes, kind);
    m->fewest = cost.wavefronts - cost.conflicts;
}

// ---------------------------------------------------------------------------------------------------------- sentences
const char *const explain_engine[LAB_ENGINES] = {
    [LAB_COPY_IN] = N_("copy to the device"), [LAB_KERNEL] = N_("kernel"),
    [LAB_COPY_OUT] = N_("copy to the host"),  [LAB_PEER] = N_("copy between devices"),
    [LAB_HOST] = N_("the host's share"),
};

void explain_time(uint64_t ps, struct text *out)
{
    text_printf(out, ps < 10000000 ? "%.2f µs" : "%.1f µs", (double)ps / 1e6);
}

static unsigned percent(uint64_t part, uint64_t whole)
{
    uint64_t share = whole ? (uint64_t)((unsigned __int128)part * 100 / whole) : 0;
    return share > 100 ? 100 : (unsigned)share;
}

void explain_bound(const struct profile_kernel *k, struct text *out)
{
    const struct observation *o = k->seen;
    uint32_t next = RESOURCES;
    for (uint32_t r = 0; r < RESOURCES; ++r)
        if (r != o->bound && r != RESOURCE_LAUNCH && (next == RESOURCES || o->resource_ps[r] > o->resource_ps[next]))
            next = r;
    struct text time = {0};
    explain_time(k->time_ps, &time);
    text_say(out, "'%1$s' takes %2$s, bound by %3$s, which alone would take %4$u %% of that", k->name, time.data,
             _(observation_resource_name[o->bound]), percent(o->resource_ps[o->bound], o->time_ps));
    if (next < RESOURCES && o->resource_ps[next])
        text_say(out, "; next is %1$s with %2$u %%", _(observation_resource_name[next]),
                 percent(o->resource_ps[next], o->time_ps));
    text_free(&time);
}

const char *explain_array(const struct profile *profile, const struct line_access *a)
{
    if (a->buffer >= 0 && profile->buffer[a->buffer]) return profile->buffer[a->buffer];
    return strchr(a->symbol, ' ') ? _(a->symbol) : a->symbol;
}

const char *explain_heading(const struct explain *e, enum explain_whose whose)
{
    static const char *const heading[EXPLAIN_WHOSE][2] = {
        [EXPLAIN_THE] = {N_("The busiest access"), N_("The worst access")},
        [EXPLAIN_YOURS] = {N_("Your busiest access"), N_("Your worst access")},
        [EXPLAIN_REFERENCE] = {N_("The reference's busiest access"), N_("The reference's worst access")},
    };
    return _(heading[whose][e->worst->excess != 0]);
}

void explain_place(const struct explain *e, struct text *out)
{
    const struct line_access *a = e->worst;
    struct text requests = {0};
    explain_count(e->requests, &requests);
    text_say(out,
             a->space == SPACE_SHARED ? N_("warp %1$" PRIu32 " of block %2$" PRIu32 ",%3$" PRIu32 ",%4$" PRIu32
                                           " of '%5$s'; the line makes %6$s accesses")
                                      : N_("warp %1$" PRIu32 " of block %2$" PRIu32 ",%3$" PRIu32 ",%4$" PRIu32
                                           " of '%5$s'; the line makes %6$s requests"),
             a->warp, a->block[0], a->block[1], a->block[2], e->kernel->name, requests.data);
    text_free(&requests);
}

// Describes one warp's access pattern. The caller of say_target() appends the number of sectors or bank passes.
static void say_target(const struct profile *profile, const struct line_access *a, struct text *out)
{
    static const char *const all[ACCESS_KINDS] = {[ACCESS_READ] = N_("line %1$s: %2$d lanes of a warp load from %3$s"),
                                                  [ACCESS_WRITE] = N_("line %1$s: %2$d lanes of a warp store to %3$s"),
                                                  [ACCESS_ATOMIC] =
                                                      N_("line %1$s: %2$d lanes of a warp do atomics on %3$s")};
    static const char *const one[ACCESS_KINDS] = {
        [ACCESS_READ] = N_("line %1$s: one lane alone of a warp loads from %2$s"),
        [ACCESS_WRITE] = N_("line %1$s: one lane alone of a warp stores to %2$s"),
        [ACCESS_ATOMIC] = N_("line %1$s: one lane alone of a warp does an atomic on %2$s")};
    const char *name = explain_array(profile, a);
    int lanes = __builtin_popcount(a->mask);
    char line[BUNDLE_LINE];
    struct text target = {0};
    bundle_line(&profile->source, a->line, line);
    if (name[0])
        text_printf(&target, "'%s'", name);
    else
        text_puts(&target, a->space == SPACE_SHARED ? _("shared memory") : _("global memory"));
    if (lanes == 1)
        text_say(out, one[a->kind], line, target.data);
    else
        text_say(out, all[a->kind], line, lanes, target.data);
    text_free(&target);
}

void explain_access(const struct profile *profile, const struct line_access *a, struct text *out)
{
    struct explain_bank_map banks;
    struct explain_sector_map map;
    say_target(profile, a, out);
    if (a->space == SPACE_SHARED) {
        explain_bank_map_make(&banks, a);
        if (banks.steps.count > banks.fewest)
            text_say(out, " in %1$" PRIu32 " passes through the banks, where %2$" PRIu32 " would do", banks.steps.count,
                     banks.fewest);
        else if (banks.steps.count == 1)
            text_say(out, " in 1 pass through the banks, the least there can be");
        else
            text_say(out, " in %" PRIu32 " passes through the banks, the fewest there can be", banks.steps.count);
        return;
    }
    explain_sector_map_make(&map, a);
    if (map.sectors > map.fewest)
        text_say(out,
                 " and touch %1$" PRIu32 " sectors, where %2$" PRIu32 " would hold their %3$" PRIu32
                 " bytes: %4$u %% of what is moved is used",
                 map.sectors, map.fewest, map.asked, percent(map.asked, map.moved));
    else if (map.sectors == 1)
        text_say(out, __builtin_popcount(a->mask) == 1 ? N_(" and touches 1 sector, the least there can be")
                                                       : N_(" and touch 1 sector, the least there can be"));
    else
        text_say(out, " and touch %" PRIu32 " sectors, the fewest there can be", map.sectors);
}

void explain_lanes(uint32_t mask, struct text *out)
{
    for (uint32_t lane = 0, some = 0; lane < 32; ++lane) {
        uint32_t first = lane;
        if (!(mask >> lane & 1)) continue;
        while (lane < 31 && (mask >> (lane + 1) & 1)) ++lane;
        text_printf(out, lane > first ? "%s%u-%u" : "%s%u", some++ ? "," : "", first, lane);
    }
}

void explain_count(uint64_t n, struct text *out)
{
    if (n < 10000)
        text_printf(out, "%" PRIu64, n);
    else if (n < 1000000)
        text_printf(out, "%.1fk", (double)n / 1e3);
    else if (n < 1000000000)
        text_printf(out, "%.1fM", (double)n / 1e6);
    else
        text_printf(out, "%.1fG", (double)n / 1e9);
}
