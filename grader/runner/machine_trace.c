// Writes the host trace (wire/host_trace.h): the list of kernels, the timeline of operations, and the list of source
// files.
#include <stdio.h>
#include <string.h>

#include "runner/machine.h"

int32_t machine_trace_span(struct machine *m, const struct host_trace_span *span)
{
    struct host_trace *s = m->trace;
    s->spans_total++;
    if (s->nspans == HOST_TRACE_SPANS) return -1;
    s->span[s->nspans] = *span;
    s->span[s->nspans].issue_ps = clock_host(m->clock);
    return (int32_t)s->nspans++;
}

static struct host_trace_kernel *kernel_of(struct host_trace *s, const char *name, uint32_t *index)
{
    for (*index = 0; *index < s->nkernels; (*index)++)
        if (!strncmp(s->kernel[*index].name, name, HOST_TRACE_NAME - 1)) return &s->kernel[*index];
    if (s->nkernels == HOST_TRACE_KERNELS) {
        *index = HOST_TRACE_KERNELS - 1;
        return &s->kernel[*index];
    }
    s->nkernels++;
    snprintf(s->kernel[*index].name, HOST_TRACE_NAME, "%s", name);
    return &s->kernel[*index];
}

uint32_t machine_trace_kernel(struct machine *m, const char *name, const struct engine_launch *q,
                              const struct observation *o, uint64_t time_ps)
{
    uint32_t index;
    struct host_trace_kernel *k = kernel_of(m->trace, name, &index);
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
    m->trace->launches++;
    return index;
}

void machine_trace_close(struct machine *m)
{
    for (uint64_t ticket = 1; ticket <= m->nops; ticket++) {
        int32_t span = m->op[ticket].span;
        if (span < 0) continue;
        m->trace->span[span].start_ps = clock_start(m->clock, ticket);
        m->trace->span[span].end_ps = clock_end(m->clock, ticket);
    }
}

uint32_t machine_trace_source(struct machine *m, const char *path)
{
    struct host_trace *s = m->trace;
    uint32_t i = 0;
    while (i < s->nsources && strncmp(s->source[i], path, HOST_TRACE_NAME - 1) != 0) i++;
    if (i == HOST_TRACE_SOURCES) return HOST_TRACE_SOURCES - 1;
    if (i == s->nsources) snprintf(s->source[s->nsources++], HOST_TRACE_NAME, "%s", path);
    return i;
}
