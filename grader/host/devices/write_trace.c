// Writes the host trace (host/border/host_trace.h): the list of kernels, the timeline of operations, and the list of
// source files.
#include <stdio.h>
#include <string.h>

#include "host/devices/devices.h"

int32_t devices_trace_span(struct devices *m, const struct host_trace_span *span)
{
    struct host_trace *s = m->trace;
    s->spans_total++;
    if (s->nspans == HOST_TRACE_SPANS) return -1;
    s->span[s->nspans] = *span;
    s->span[s->nspans].issue_ps = virtual_clock_host(m->clock);
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

// Keeps the launch if no earlier launch of its kernel took longer.
static void take_launch(struct host_trace_kernel *k, const struct engine_launch *q, const struct observation *o,
                        uint64_t time_ps, int linked)
{
    struct host_trace_launch *l = &k->longest;
    int is_longer = time_ps > l->time_ps || (time_ps == l->time_ps && o->counters.warp_inst > l->inst);
    if (k->launches && !is_longer) return;
    *l = (struct host_trace_launch){.time_ps = time_ps,
                                    .model_ps = o->time_ps,
                                    .inst = o->counters.warp_inst,
                                    .shared_bytes = o->shared_bytes,
                                    .registers = o->registers,
                                    .blocks_per_sm = o->blocks_per_sm,
                                    .occupancy_permille = o->occupancy_permille,
                                    .occupancy_limit = o->occupancy_limit,
                                    .bound = o->bound,
                                    .linked = linked != 0};
    memcpy(l->resource_ps, o->resource_ps, sizeof l->resource_ps);
    memcpy(l->grid, q->grid, sizeof l->grid);
    memcpy(l->block, q->block, sizeof l->block);
}

uint32_t devices_trace_kernel(struct devices *m, const char *name, const struct engine_launch *q,
                              const struct observation *o, uint64_t time_ps, int linked)
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
    take_launch(k, q, o, time_ps, linked);
    k->launches++;
    k->sampled |= o->blocks_run < o->blocks;
    k->time_ps += time_ps;
    if (time_ps > k->longest_ps) k->longest_ps = time_ps;
    counters_add(&k->counters, &o->counters);
    m->trace->launches++;
    return index;
}

// Returns the slot of a line in the devices' hash table: the line's own slot, or the free one where it belongs.
static uint16_t *slot_of(struct devices *m, uint32_t kernel, uint32_t source, uint32_t line)
{
    uint32_t at = (kernel * 0x9e3779b1u ^ source * 0x85ebca6bu ^ line * 0xc2b2ae35u) >> 8;
    for (;; at++) {
        uint16_t *slot = &m->line_slot[at % DEVICES_LINE_SLOTS];
        const struct host_trace_line *l = *slot ? &m->trace->line[*slot - 1] : NULL;
        if (!l || (l->line == line && l->kernel == kernel && l->source == source)) return slot;
    }
}

void devices_trace_line(struct devices *m, uint32_t kernel, uint32_t source, const struct line_counters *from)
{
    struct host_trace *s = m->trace;
    uint16_t *slot = slot_of(m, kernel, source, from->line);
    if (!*slot && s->nlines == HOST_TRACE_LINES) return;
    if (!*slot) {
        s->line[s->nlines++] = (struct host_trace_line){.kernel = kernel, .source = source, .line = from->line};
        *slot = (uint16_t)s->nlines;
    }
    counters_add(&s->line[*slot - 1].counters, &from->counters);
}

void devices_trace_close(struct devices *m)
{
    for (uint64_t ticket = 1; ticket <= m->nops; ticket++) {
        int32_t span = m->op[ticket].span;
        if (span < 0) continue;
        m->trace->span[span].start_ps = virtual_clock_start(m->clock, ticket);
        m->trace->span[span].end_ps = virtual_clock_end(m->clock, ticket);
    }
}

uint32_t devices_trace_source(struct devices *m, const char *path)
{
    struct host_trace *s = m->trace;
    uint32_t i = 0;
    while (i < s->nsources && strncmp(s->source[i], path, HOST_TRACE_NAME - 1) != 0) i++;
    if (i == HOST_TRACE_SOURCES) return HOST_TRACE_SOURCES - 1;
    if (i == s->nsources) snprintf(s->source[s->nsources++], HOST_TRACE_NAME, "%s", path);
    return i;
}
