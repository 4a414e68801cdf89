// Records the ops that warps execute; trace.h states the contracts.
#include "sim/timing/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/prng.h"

// RESIDENT_OPS is the maximum number of ops that are recorded for the resident warps of one multiprocessor together.
// LEAST_OPS is the number of ops that may be recorded for each warp in any case. A slice has SLICE_OPS ops, or a few
// more, because a slice ends where a sequence of consecutive ops ends.
enum { RESIDENT_OPS = 1 << 18, LEAST_OPS = 4096, SLICE_OPS = 1024 };

uint64_t trace_choose(const struct sim_launch *launch, const char *purpose, uint64_t at, uint64_t count)
{
    struct prng random = prng_stream(launch->request->sample_key + at, purpose);
    return (uint64_t)((unsigned __int128)prng_u64(&random) * count >> 64);
}

static void slot_begin(struct trace_slot *s, const struct sim_launch *launch, uint64_t block, uint64_t limit)
{
    if (!s->warp) s->warp = alloc_zeroed(launch->warps, sizeof *s->warp);
    s->block = block;
    s->limit = limit;
    s->level = 0;
    s->warps = launch->warps;
    s->key = trace_choose(launch, "slices", block, UINT64_MAX);
    for (uint32_t k = 0; k < s->warps; k++) {
        struct trace_warp *w = &s->warp[k];
        w->count = w->loads = w->slices = w->serial = w->in_slice = 0;
        w->all = w->kept = w->number = 0;
        w->keeps = 1;
        w->slot = s;
    }
}

void trace_begin(struct trace *t, const struct sim_launch *launch, const uint64_t block[TRACE_SLOTS])
{
    uint64_t limit = RESIDENT_OPS / (launch->warps * (launch->blocks_per_sm ? launch->blocks_per_sm : 1));
    if (limit < LEAST_OPS) limit = LEAST_OPS;
    t->warps = launch->warps;
    for (int k = 0; k < TRACE_SLOTS; k++) slot_begin(&t->slot[k], launch, block[k], limit);
}

static void slot_free(struct trace_slot *s)
{
    for (uint32_t k = 0; s->warp && k < s->warps; k++)
        free(s->warp[k].run), free(s->warp[k].load), free(s->warp[k].slice);
    free(s->warp);
}

void trace_free(struct trace *t)
{
    for (int k = 0; k < TRACE_SLOTS; k++) slot_free(&t->slot[k]);
    *t = (struct trace){0};
}

struct trace_warp *trace_of(struct trace *t, uint64_t block, uint32_t warp)
{
    for (int k = 0; t->warps && k < TRACE_SLOTS; k++)
        if (t->slot[k].block == block) return &t->slot[k].warp[warp];
    return NULL;
}

int trace_has_ops(const struct trace_slot *s)
{
    for (uint32_t k = 0; k < s->warps && s->block != TRACE_NO_BLOCK; k++)
        if (s->warp[k].count) return 1;
    return 0;
}

void trace_count(const struct trace_slot *s, uint64_t *ran)
{
    for (uint32_t k = 0; k < s->warps; k++) {
        const struct trace_warp *w = &s->warp[k];
        for (uint32_t run = 0; run < w->count; run++)
            for (uint32_t op = 0; op < w->run[run].length; op++)
                ran[w->run[run].op + op] += (w->all + w->kept / 2) / w->kept;
    }
}

// ----------------------------------------------------------------------------------------------------------------
// slices Returns 1 if slice `number` is recorded at the given level. Of each pair of neighbours that level n - 1
// records, level n records one. A slice that a level records is therefore recorded by all lower levels.
static int is_kept(uint64_t key, uint64_t number, uint32_t level)
{
    for (uint32_t n = 1; n <= level && n < 64; n++) {
        struct prng random = prng_stream(key + (number >> n), "pair");
        if ((number >> (n - 1) & 1) != ((prng_u64(&random) >> n) & 1)) return 0;
    }
    return 1;
}

// Removes the slices that the block's present level does not record.
static void drop_slices(struct trace_warp *w)
{
    const struct trace_slot *s = w->slot;
    uint32_t runs = 0, loads = 0, slices = 0;
    w->kept = 0;
    for (uint32_t k = 0; k < w->slices; k++) {
        struct trace_slice slice = w->slice[k];
        uint32_t run_end = k + 1 < w->slices ? w->slice[k + 1].run : w->count;
        uint32_t load_end = k + 1 < w->slices ? w->slice[k + 1].load : w->loads;
        if (!is_kept(s->key, slice.number, s->level)) continue;
        w->slice[slices++] = (struct trace_slice){.number = slice.number, .ops = slice.ops, .run = runs, .load = loads};
        memmove(w->run + runs, w->run + slice.run, (run_end - slice.run) * sizeof *w->run);
        memmove(w->load + loads, w->load + slice.load, (load_end - slice.load) * sizeof *w->load);
        runs += run_end - slice.run;
        loads += load_end - slice.load;
        w->kept += slice.ops;
    }
    w->count = runs;
    w->loads = loads;
    w->slices = slices;
    w->keeps = is_kept(s->key, w->number, s->level);
}

static void begin_slice(struct trace_warp *w)
{
    struct trace_slot *s = w->slot;
    w->number++;
    w->in_slice = 0;
    w->keeps = is_kept(s->key, w->number, s->level);
    if (!w->keeps || w->kept < s->limit) return;
    s->level++;
    for (uint32_t k = 0; k < s->warps; k++) drop_slices(&s->warp[k]);
}

// Returns the slice to which the warp's ops and loads are added now.
static struct trace_slice *open_slice(struct trace_warp *w)
{
    if (w->slices && w->slice[w->slices - 1].number == w->number) return &w->slice[w->slices - 1];
    ALLOC_GROW(w->slice, w->slice_capacity, w->slices + 1);
    w->slice[w->slices] = (struct trace_slice){.number = w->number, .run = w->count, .load = w->loads};
    return &w->slice[w->slices++];
}

static void add_run(struct trace_warp *w, uint32_t op, uint32_t length)
{
    struct trace_slice *slice = open_slice(w);
    struct trace_run *last = w->count > slice->run ? &w->run[w->count - 1] : NULL;
    slice->ops += length;
    w->kept += length;
    if (last && last->op + last->length == op) {
        last->length += length;
        return;
    }
    ALLOC_GROW(w->run, w->capacity, w->count + 1);
    w->run[w->count++] = (struct trace_run){op, length};
}

void trace_run(struct trace_warp *w, uint32_t op, uint32_t length)
{
    w->all += length;
    w->in_slice += length;
    if (w->keeps) add_run(w, op, length);
    if (w->in_slice >= SLICE_OPS) begin_slice(w);
}

uint32_t trace_load(struct trace_warp *w, uint32_t op, uint64_t line)
{
    if (!w->keeps) return 0;
    open_slice(w);
    ALLOC_GROW(w->load, w->load_capacity, w->loads + 1);
    w->load[w->loads++] = (struct trace_load){.line = line, .op = op, .serial = w->serial & INT32_MAX};
    return w->serial++ + 1;
}

void trace_missed(struct trace_warp *w, uint32_t record)
{
    uint32_t low = 0, high = w->loads;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (w->load[middle].serial < record - 1)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < w->loads && w->load[low].serial == record - 1) w->load[low].missed = 1;
}
