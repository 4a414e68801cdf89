// Finds defects of host programs: operations without the necessary order, use of freed memory, and leaks.
//
// Two operations of different streams conflict if they access the same bytes and at least one operation writes. The
// program must order conflicting operations by an event, a stream or the host. For each allocation, the defect checks
// store those accesses with which a later operation could still conflict. The defect checks compare each new access
// with the stored accesses of the same allocation. The defect checks use the order of vector clocks (device_stream.c),
// not the order in time. The defect checks therefore also report two conflicting operations that happened to run in a
// harmless order in time.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/devices/devices.h"
#include "sim/machine/memory.h"

enum {
    ACCESSES_MOST = 4096,  // maximum accesses stored per allocation; defects of further accesses are missed
    ACCESSES_AN_INST = 32, // stored accesses that are compared in about the time of one warp instruction
};

// ---------------------------------------------------------------- findings

static int same_place(const struct host_place *a, const struct host_place *b)
{
    return a->object == b->object && a->offset == b->offset;
}

static int same_line(const struct finding_place *a, const struct finding_place *b)
{
    return a->path == b->path && a->line == b->line && a->column == b->column;
}

static int same_finding(const struct host_trace_finding *a, const struct host_trace_finding *b)
{
    if (a->defect != b->defect || a->kernel != b->kernel || a->code != b->code) return 0;
    if (a->defect == DEFECT_NONE)
        return a->finding.kind == b->finding.kind && same_line(&a->finding.at, &b->finding.at) &&
               same_line(&a->finding.other, &b->finding.other) && same_place(&a->place, &b->place);
    return same_place(&a->place, &b->place) && same_place(&a->other, &b->other) && same_place(&a->origin, &b->origin);
}

void devices_defect_add(struct devices *m, const struct host_trace_finding *f)
{
    struct host_trace *s = m->trace;
    struct host_trace_finding fresh = *f;
    if (f->defect != DEFECT_NONE) fresh.kernel = HOST_TRACE_KERNELS;
    fresh.count = f->defect == DEFECT_NONE ? f->finding.count : 1;
    for (uint32_t i = 0; i < s->nfindings; i++) {
        if (!same_finding(&s->finding[i], &fresh)) continue;
        s->finding[i].count += fresh.count;
        return;
    }
    if (s->nfindings == HOST_TRACE_FINDINGS)
        s->findings_dropped++;
    else
        s->finding[s->nfindings++] = fresh;
}

// ---------------------------------------------------------------- two streams, one range

static void collide(struct devices_call *c, const struct devices_memory *a, const struct devices_access *old,
                    uint64_t from, uint32_t stream)
{
    uint32_t devices = c->m->options.devices;
    devices_defect_add(c->m, &(struct host_trace_finding){
                                 .defect = DEFECT_UNORDERED,
                                 .stream = stream < devices ? 0 : stream,
                                 .other_stream = old->stream < devices ? 0 : old->stream,
                                 .allocated = 1,
                                 .bytes = a->bytes,
                                 .offset = from > old->from ? from : old->from,
                                 .place = c->command->place,
                                 .other = old->place,
                                 .origin = a->origin,
                             });
}

void devices_defect_access(struct devices_call *c, int region, uint64_t from, uint64_t to, int write, uint32_t stream)
{
    struct devices *m = c->m;
    if (!m->options.checks || region < 0 || (uint32_t)region >= m->nmem || m->mem[region].kind == HOST_MEMORY_NONE)
        return;
    struct devices_memory *a = &m->mem[region];
    struct devices_stream *s = &m->stream[stream];
    uint32_t kept = 0;
    if (devices_spend(m, a->naccesses / ACCESSES_AN_INST)) return;
    for (uint32_t i = 0; i < a->naccesses; i++) {
        struct devices_access *old = &a->access[i];
        int before = devices_order_has(&s->order, old->stream, old->issued);
        int mine = old->stream == stream && old->issued == s->issued; // 1: `old` is an access of the same operation
        if (!before && old->from < to && from < old->to && (write || old->write)) collide(c, a, old, from, stream);
        if (before && !mine && write && from <= old->from && old->to <= to) continue; // the new access covers `old`
        if (devices_order_has(&m->host, old->stream, old->issued)) continue; // all later operations follow `old`
        a->access[kept++] = *old;
    }
    a->naccesses = kept;
    if (kept == ACCESSES_MOST) return;
    a->access = alloc_resize(a->access, kept + 1, sizeof *a->access);
    a->access[a->naccesses++] = (struct devices_access){.from = from,
                                                        .to = to,
                                                        .stream = stream,
                                                        .issued = s->issued,
                                                        .write = (uint8_t)write,
                                                        .place = c->command->place};
}

void devices_defect_kernel(struct devices_call *c, uint32_t stream)
{
    struct devices *m = c->m;
    if (!m->options.checks) return;
    for (uint32_t i = 0; i < m->nmem; i++) {
        if (m->mem[i].kind == HOST_MEMORY_NONE) continue;
        for (int write = 0; write < 2; write++) {
            uint64_t at = 0, from, to;
            while (sim_memory_touched(m->memory, (int)i, write, at, &from, &to)) {
                devices_defect_access(c, (int)i, from, to, write, stream);
                at = to;
            }
        }
    }
}

void devices_defect_release(struct devices_call *c, int region)
{
    struct devices *m = c->m;
    const struct devices_memory *a = &m->mem[region];
    if (!m->options.checks) return;
    for (uint32_t i = 0; i < a->naccesses; i++) {
        const struct devices_access *old = &a->access[i];
        if (devices_order_has(&m->host, old->stream, old->issued)) continue;
        if (c->command->release.ordered) {
            uint32_t index;
            struct devices_stream *s = devices_stream_of(c, c->command->release.stream, &index);
            if (s && devices_order_has(&s->order, old->stream, old->issued)) continue;
        }
        devices_defect_add(m, &(struct host_trace_finding){.defect = DEFECT_FREED_IN_USE,
                                                           .allocated = 1,
                                                           .bytes = a->bytes,
                                                           .place = c->command->place,
                                                           .other = old->place,
                                                           .origin = a->origin});
        return;
    }
}

// ---------------------------------------------------------------- what libcudart reports

uint32_t devices_early_access(struct devices_call *c)
{
    const struct host_early_access *q = &c->command->early_access;
    if (q->ticket > c->m->nops || q->write > 1) return HOST_INVALID_VALUE;
    int region = devices_find(c->m, q->address, 1, NULL);
    struct host_trace_finding f = {.defect = !q->ticket ? DEFECT_DEVICE_MEMORY
                                             : q->write ? DEFECT_EARLY_WRITE
                                                        : DEFECT_EARLY_READ,
                                   .place = c->command->place};
    int32_t span = q->ticket ? c->m->op[q->ticket].span : -1;
    if (span >= 0) f.other = c->m->trace->span[span].place;
    if (region >= 0 && (uint32_t)region < c->m->nmem && c->m->mem[region].kind != HOST_MEMORY_NONE) {
        f.allocated = 1;
        f.origin = c->m->mem[region].origin;
        f.bytes = c->m->mem[region].bytes;
        f.offset = q->address - c->m->memory->region[region]->base;
    }
    devices_defect_add(c->m, &f);
    return HOST_SUCCESS;
}

uint32_t devices_unchecked(struct devices_call *c)
{
    const struct host_unchecked *q = &c->command->unchecked;
    struct host_trace_finding f = {.defect = DEFECT_UNCHECKED,
                                   .code = q->code,
                                   .reason = q->reason,
                                   .silent = q->silent,
                                   .bytes = q->a,
                                   .offset = q->b,
                                   .place = c->command->place};
    if (q->code > HOST_UNKNOWN || q->reason >= HOST_REASONS || q->silent > 1 || !memchr(q->call, 0, sizeof q->call))
        return HOST_INVALID_VALUE;
    memcpy(f.text, q->call, sizeof f.text);
    devices_defect_add(c->m, &f);
    return HOST_SUCCESS;
}

uint32_t devices_undetermined(struct devices_call *c)
{
    devices_defect_add(c->m, &(struct host_trace_finding){.defect = DEFECT_UNDETERMINED, .place = c->command->place});
    return HOST_SUCCESS;
}

// ---------------------------------------------------------------- at the end

void devices_defect_end(struct devices *m)
{
    if (!m->options.checks) return;
    for (uint32_t k = 0; k < m->nstreams; k++) {
        const struct devices_stream *s = &m->stream[k];
        int32_t span = s->last ? m->op[s->last].span : -1;
        if (s->used && !devices_order_has(&m->host, k, s->issued) && span >= 0)
            devices_defect_add(m, &(struct host_trace_finding){.defect = DEFECT_NEVER_SYNCED,
                                                               .stream = k < m->options.devices ? 0 : k,
                                                               .place = m->trace->span[span].place});
        if (k >= m->options.devices && s->alive && !(s->flags & HOST_STREAM_PER_THREAD))
            devices_defect_add(
                m, &(struct host_trace_finding){.defect = DEFECT_LEAKED_STREAM, .stream = k, .place = s->origin});
    }
    for (uint32_t k = 0; k < m->nevents; k++)
        if (m->event[k].alive)
            devices_defect_add(
                m, &(struct host_trace_finding){.defect = DEFECT_LEAKED_EVENT, .place = m->event[k].origin});
    for (uint32_t i = 0; i < m->nmem; i++) {
        const struct devices_memory *a = &m->mem[i];
        if (a->kind > HOST_MEMORY_MANAGED || !a->data || a->variable) continue;
        devices_defect_add(
            m, &(struct host_trace_finding){.defect = DEFECT_LEAKED_MEMORY, .bytes = a->bytes, .place = a->origin});
    }
}
