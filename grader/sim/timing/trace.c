// Records the ops that warps execute; trace.h states the contracts.
#include "sim/timing/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

// RESIDENT_OPS is the maximum number of ops that are recorded for the resident warps of one multiprocessor together.
// LEAST_OPS is the number of ops that may be recorded for each warp in any case.
enum { RESIDENT_OPS = 1 << 18, LEAST_OPS = 2000 };

void trace_begin(struct trace *t, const struct sim_launch *launch, uint64_t blocks)
{
    uint32_t n = TRACE_BLOCKS * launch->warps;
    if (!t->warp) t->warp = alloc_zeroed(n, sizeof *t->warp);
    t->warps = launch->warps;
    t->blocks = blocks;
    t->stride = blocks > TRACE_BLOCKS ? blocks / TRACE_BLOCKS : 1;
    uint64_t limit = RESIDENT_OPS / (launch->warps * (launch->blocks_per_sm ? launch->blocks_per_sm : 1));
    if (limit < LEAST_OPS) limit = LEAST_OPS;
    for (uint32_t k = 0; k < n; k++) {
        struct trace_warp *w = &t->warp[k];
        w->count = w->loads = 0;
        w->kept = w->all = 0;
        w->limit = limit;
    }
}

void trace_free(struct trace *t)
{
    for (uint32_t k = 0; t->warp && k < TRACE_BLOCKS * t->warps; k++) free(t->warp[k].run), free(t->warp[k].load);
    free(t->warp);
    t->warp = NULL;
}

struct trace_warp *trace_of(struct trace *t, uint64_t position, uint32_t warp)
{
    if (!t->warp || position % t->stride || position / t->stride >= TRACE_BLOCKS) return NULL;
    return &t->warp[position / t->stride * t->warps + warp];
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
