// Makes the timeline of a host program (struct lab_timeline) from its host trace: operations in the order of their
// start, with small numbers for the streams.
#include <stdlib.h>

#include "base/alloc.h"
#include "host/border/host_trace.h"
#include "judge/verdict/verdict.h"

static enum lab_engine engine_of(uint32_t kind)
{
    switch ((enum host_trace_span_kind)kind) {
    case SPAN_H2D:
        return LAB_COPY_IN;
    case SPAN_D2H:
        return LAB_COPY_OUT;
    case SPAN_PEER:
        return LAB_PEER;
    case SPAN_HOST:
        return LAB_HOST;
    default:
        return LAB_KERNEL;
    }
}

static int by_start(const void *left, const void *right)
{
    const struct lab_span *a = left, *b = right;
    if (a->start_ps != b->start_ps) return a->start_ps < b->start_ps ? -1 : 1;
    if (a->engine != b->engine) return a->engine < b->engine ? -1 : 1;
    if (a->stream != b->stream) return a->stream < b->stream ? -1 : 1;
    return a->operation < b->operation ? -1 : a->operation > b->operation;
}

// Returns a small number that identifies a CUDA stream in the timeline. The default stream has the number 0. Other
// streams than the default stream are numbered from 1 in the order of their first use. The array `known` contains the
// *count streams that already have a number.
static uint32_t number_of(uint32_t stream, uint32_t *known, uint32_t *count)
{
    if (!stream) return 0;
    for (uint32_t k = 0; k < *count; ++k)
        if (known[k] == stream) return k + 1;
    known[(*count)++] = stream;
    return *count;
}

struct lab_timeline *verdict_timeline(const struct host_trace *s, const uint32_t line[], uint64_t from_ps,
                                      uint64_t to_ps)
{
    struct lab_timeline *t = alloc_zeroed(1, sizeof *t);
    uint32_t *known = alloc_zeroed(s->nspans + 1, sizeof *known), streams = 0;
    t->span = alloc_zeroed(s->nspans + 1, sizeof *t->span);
    for (uint32_t i = 0; i < s->nspans; ++i) {
        const struct host_trace_span *p = &s->span[i];
        if (p->start_ps < from_ps || p->start_ps >= to_ps) continue;
        t->span[t->count++] = (struct lab_span){.engine = engine_of(p->kind),
                                                .device = p->device,
                                                .stream = number_of(p->stream, known, &streams),
                                                .line = line[i],
                                                .operation = i,
                                                .page_locked = p->pinned,
                                                .used = p->used || p->kind == SPAN_HOST,
                                                .issue_ps = p->issue_ps > from_ps ? p->issue_ps - from_ps : 0,
                                                .start_ps = p->start_ps - from_ps,
                                                .end_ps = p->end_ps - from_ps,
                                                .bytes = p->bytes};
    }
    qsort(t->span, t->count, sizeof *t->span, by_start);
    t->dropped = s->spans_total - s->nspans;
    t->time_ps = to_ps - from_ps;
    free(known);
    return t;
}
