// What of the run goes into the session record: kernels told apart by name, the timeline's spans.
#include <stdio.h>
#include <string.h>

#include "runner/machine.h"

int32_t session_add_span(struct machine *m, const struct session_span *span)
{
    struct session *s = m->session;
    s->spans_total++;
    if (s->nspans == SESSION_SPANS) return -1;
    s->span[s->nspans] = *span;
    s->span[s->nspans].issue_ps = clock_host(m->clock);
    return (int32_t)s->nspans++;
}

static struct session_kernel *kernel_of(struct session *s, const char *name, uint32_t *index)
{
    for (*index = 0; *index < s->nkernels; (*index)++)
        if (!strncmp(s->kernel[*index].name, name, SESSION_NAME - 1)) return &s->kernel[*index];
    if (s->nkernels == SESSION_KERNELS) {
        *index = SESSION_KERNELS - 1;
        return &s->kernel[*index];
    }
    s->nkernels++;
    snprintf(s->kernel[*index].name, SESSION_NAME, "%s", name);
    return &s->kernel[*index];
}

uint32_t session_add_kernel(struct machine *m, const char *name, const struct engine_launch *q,
                            const struct observation *o, uint64_t time_ps)
{
    uint32_t index;
    struct session_kernel *k = kernel_of(m->session, name, &index);
    if (!k->launches) {
        memcpy(k->grid, q->grid, sizeof k->grid);
        memcpy(k->block, q->block, sizeof k->block);
        k->shared_bytes = o->shared_bytes;
        k->registers = o->registers;
        k->local_bytes = o->local_bytes;
        k->blocks_per_sm = o->blocks_per_sm;
        k->occupancy_permille = o->occupancy_permille;
        k->bound = o->bound;
    }
    k->launches++;
    k->sampled |= o->blocks_run < o->blocks;
    k->time_ps += time_ps;
    if (time_ps > k->longest_ps) k->longest_ps = time_ps;
    counters_add(&k->counters, &o->counters);
    m->session->launches++;
    return index;
}

// Operations have all ended: each span gets its times.
void session_close_spans(struct machine *m)
{
    for (uint64_t ticket = 1; ticket <= m->nops; ticket++) {
        int32_t span = m->op[ticket].span;
        if (span < 0) continue;
        m->session->span[span].start_ps = clock_start(m->clock, ticket);
        m->session->span[span].end_ps = clock_end(m->clock, ticket);
    }
}

uint32_t session_add_source(struct machine *m, const char *path)
{
    struct session *s = m->session;
    uint32_t i = 0;
    while (i < s->nsources && strncmp(s->source[i], path, SESSION_NAME - 1) != 0) i++;
    if (i == SESSION_SOURCES) return SESSION_SOURCES - 1;
    if (i == s->nsources) snprintf(s->source[s->nsources++], SESSION_NAME, "%s", path);
    return i;
}
