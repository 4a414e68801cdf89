// Records the ops that warps execute; trace.h states the contracts.
#include "sim/timing/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/prng.h"

// RESIDENT_OPS is the maximum number of ops that are recorded for the resident warps of one multiprocessor together.
// LEAST_OPS is the number of ops that may be recorded for each warp in any case.
enum { RESIDENT_OPS = 1 << 18, LEAST_OPS = 2000 };

uint64_t trace_choose(const struct sim_launch *launch, const char *purpose, uint64_t at, uint64_t count)
{
    struct prng random = prng_stream(launch->request->sample_key + at, purpose);
    return (uint64_t)((unsigned __int128)prng_u64(&random) * count >> 64);
}

static void slot_begin(struct trace_slot *s, const struct sim_launch *launch, uint64_t block, uint64_t limit)
{
    if (!s->warp) s->warp = alloc_zeroed(launch->warps, sizeof *s->warp);
    s->block = block;
    s->warps = launch->warps;
    for (uint32_t k = 0; k < s->warps; k++) {
        struct trace_warp *w = &s->warp[k];
        w->count = w->loads = 0;
        w->kept = w->all = 0;
        w->limit = limit;
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
    for (uint32_t k = 0; s->warp && k < s->warps; k++) free(s->warp[k].run), free(s->warp[k].load);
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
        uint64_t times = w->kept ? (w->all + w->kept / 2) / w->kept : 0;
        for (uint32_t run = 0; run < w->count; run++)
            for (uint32_t op = 0; op < w->run[run].length; op++) ran[w->run[run].op + op] += times;
    }
}

void trace_run(struct trace_warp *w, uint32_t op, uint32_t length)
{
    w->all += length;
    if (w->kept >= w->limit) return;
    w->kept += length;
    struct trace_run *last = w->count ? &w->run[w->count - 1] : NULL;
    if (last && last->op + last->length == op) {
        last->length += length;
        return;
    }
    ALLOC_GROW(w->run, w->capacity, w->count + 1);
    w->run[w->count++] = (struct trace_run){op, length};
}

uint32_t trace_load(struct trace_warp *w, uint32_t op, uint64_t line)
{
    if (w->kept >= w->limit) return 0;
    ALLOC_GROW(w->load, w->load_capacity, w->loads + 1);
    w->load[w->loads++] = (struct trace_load){.line = line, .op = op};
    return w->loads;
}

void trace_missed(struct trace_warp *w, uint32_t record)
{
    w->load[record - 1].missed = 1;
}
