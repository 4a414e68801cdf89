// Implements streams and events. This file determines which operations must come after which other operations, for the
// virtual clock and for the defect checks.
//
// The virtual clock and the defect checks follow the same rules of order. An operation comes after the previous
// operation of its stream. If a stream waits for an event, the stream's later operations also come after all operations
// before the event. An operation of the legacy default stream comes after all earlier operations of its device's
// blocking streams. Later operations of the blocking streams come after earlier operations of the legacy default
// stream. For the virtual clock, device_stream.c lists for each operation the tickets (numbers) of the operations that
// must end before it starts. For the defect checks (defect.c), device_stream.c keeps the order of operations
// as vector clocks (Mattern 1988, Fidge 1988). Each stream, each event and the host has a vector clock. The vector
// clock of the host, for example, holds for each stream how many of the stream's operations happen before the host's
// next step.
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/devices/devices.h"

enum { STREAMS_MOST = 4096, EVENTS_MOST = 1 << 20 };

// ---------------------------------------------------------------- order

static void order_room(struct devices_order *o, uint32_t count)
{
    if (count <= o->count) return;
    o->seen = alloc_extend(o->seen, o->count, count, sizeof *o->seen);
    o->count = count;
}

void devices_order_join(struct devices_order *o, const struct devices_order *with)
{
    order_room(o, with->count);
    for (uint32_t i = 0; i < with->count; i++)
        if (with->seen[i] > o->seen[i]) o->seen[i] = with->seen[i];
}

void devices_order_join_host(struct devices *m, const struct devices_order *order)
{
    if (!virtual_clock_is_waiting(m->clock)) {
        devices_order_join(&m->host, order);
        return;
    }
    ALLOC_GROW(m->joining, m->joining_capacity, (uint64_t)m->thread + 1);
    while (m->njoining <= m->thread) m->joining[m->njoining++] = (struct devices_order){.seen = NULL};
    devices_order_join(&m->joining[m->thread], order);
}

void devices_order_waited(struct devices *m, uint32_t thread)
{
    if (thread >= m->njoining) return;
    devices_order_join(&m->host, &m->joining[thread]);
    free(m->joining[thread].seen);
    m->joining[thread] = (struct devices_order){.seen = NULL};
}

int devices_order_has(const struct devices_order *o, uint32_t stream, uint32_t issued)
{
    return stream < o->count && o->seen[stream] >= issued;
}

// ---------------------------------------------------------------- operations

struct devices_stream *devices_stream_of(const struct devices_call *c, uint32_t stream, uint32_t *index)
{
    struct devices *m = c->m;
    *index = stream ? stream : c->command->device;
    if (stream && (stream < m->options.devices || stream >= m->nstreams || !m->stream[stream].alive)) return NULL;
    return &m->stream[*index];
}

static int is_blocking(const struct devices *m, uint32_t stream)
{
    return stream >= m->options.devices && !(m->stream[stream].flags & HOST_STREAM_NON_BLOCKING);
}

uint64_t devices_submit(struct devices_call *c, uint32_t index, struct clock_op *op, const struct host_trace_span *span)
{
    struct devices *m = c->m;
    struct devices_stream *s = &m->stream[index];
    uint64_t *after = alloc_array(m->nstreams + op->nafter + 2, sizeof *after);
    uint32_t n = 0;
    for (uint32_t i = 0; i < op->nafter; i++) after[n++] = op->after[i];
    after[n++] = s->last;
    devices_order_join(&s->order, &m->host);
    if (index < m->options.devices) { // the stream is a legacy default stream
        for (uint32_t k = m->options.devices; k < m->nstreams; k++) {
            if (m->stream[k].device != s->device || !is_blocking(m, k)) continue;
            after[n++] = m->stream[k].last;
            devices_order_join(&s->order, &m->stream[k].order);
        }
    } else if (is_blocking(m, index)) {
        after[n++] = m->stream[s->device].last;
        devices_order_join(&s->order, &m->stream[s->device].order);
    }
    op->after = after;
    op->nafter = n;
    op->device = s->device;
    op->priority = s->priority;
    s->last = virtual_clock_submit(m->clock, op);
    free(after);
    order_room(&s->order, index + 1);
    s->order.seen[index] = ++s->issued;
    s->used = 1;
    m->nops = s->last;
    ALLOC_GROW(m->op, m->ops_capacity, m->nops + 1);
    m->op[m->nops] = (struct devices_op){.stream = index, .issued = s->issued, .span = -1};
    if (span) m->op[m->nops].span = devices_trace_span(m, span);
    return s->last;
}

uint32_t devices_fault(struct devices *m, uint32_t device, int waited)
{
    struct devices_device *d = &m->device[device];
    if (!d->sticky && d->fault && (waited || virtual_clock_is_done(m->clock, d->fault_ticket))) {
        d->sticky = d->fault;
        m->trace->error = d->fault;
    }
    return d->sticky;
}

void devices_wait(struct devices *m, uint32_t stream, uint64_t ticket)
{
    virtual_clock_wait(m->clock, ticket);
    devices_order_join_host(m, &m->stream[stream].order);
    devices_deliver(m, NULL);
}

void devices_wait_device(struct devices *m, uint32_t device)
{
    for (uint32_t k = 0; k < m->nstreams; k++)
        if (m->stream[k].device == device && m->stream[k].used) devices_wait(m, k, m->stream[k].last);
}

// ---------------------------------------------------------------- streams

uint32_t devices_stream_create(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_stream_create *q = &c->command->stream_create;
    if (q->flags > (HOST_STREAM_NON_BLOCKING | HOST_STREAM_PER_THREAD)) return HOST_INVALID_VALUE;
    uint32_t k = m->options.devices;
    while (k < m->nstreams && m->stream[k].alive) k++;
    if (k == STREAMS_MOST) {
        devices_refuse(c, "the simulator holds at most %d streams at a time", STREAMS_MOST);
        return HOST_OUT_OF_MEMORY;
    }
    ALLOC_GROW(m->stream, m->streams_capacity, k + 1);
    if (k == m->nstreams) m->nstreams++;
    struct devices_stream *s = &m->stream[k];
    s->alive = 1;
    s->used = 0;
    s->flags = (uint8_t)q->flags;
    s->device = (uint8_t)c->command->device;
    s->priority = q->priority < -5 ? -5 : q->priority > 0 ? 0 : q->priority;
    s->last = 0;
    s->origin = c->command->place;
    c->reply->stream = k;
    return HOST_SUCCESS;
}

uint32_t devices_stream_destroy(struct devices_call *c)
{
    uint32_t index, stream = c->command->stream_destroy.stream;
    struct devices_stream *s = devices_stream_of(c, stream, &index);
    if (!s || !stream) return HOST_INVALID_RESOURCE;
    s->alive = 0; // operations of the stream continue
    return HOST_SUCCESS;
}

uint32_t devices_stream_sync(struct devices_call *c)
{
    uint32_t index;
    struct devices_stream *s = devices_stream_of(c, c->command->stream_sync.stream, &index);
    if (!s) return HOST_INVALID_RESOURCE;
    if (index < c->m->options.devices) { // a legacy default stream comes after the blocking streams
        for (uint32_t k = c->m->options.devices; k < c->m->nstreams; k++)
            if (c->m->stream[k].device == s->device && is_blocking(c->m, k))
                devices_wait(c->m, k, c->m->stream[k].last);
    }
    devices_wait(c->m, index, s->last);
    return devices_fault(c->m, s->device, 1);
}

uint32_t devices_stream_query(struct devices_call *c)
{
    uint32_t index;
    struct devices_stream *s = devices_stream_of(c, c->command->stream_query.stream, &index);
    if (!s) return HOST_INVALID_RESOURCE;
    if (!virtual_clock_is_done(c->m->clock, s->last)) return HOST_NOT_READY;
    devices_order_join(&c->m->host, &s->order);
    return devices_fault(c->m, s->device, 1);
}

uint32_t devices_device_sync(struct devices_call *c)
{
    devices_wait_device(c->m, c->command->device);
    return devices_fault(c->m, c->command->device, 1);
}

static struct devices_event *event_of(const struct devices_call *c, uint32_t event)
{
    return event < c->m->nevents && c->m->event[event].alive ? &c->m->event[event] : NULL;
}

uint32_t devices_stream_wait(struct devices_call *c)
{
    uint32_t index;
    struct devices_stream *s = devices_stream_of(c, c->command->stream_wait.stream, &index);
    struct devices_event *e = event_of(c, c->command->stream_wait.event);
    if (!s || !e) return HOST_INVALID_RESOURCE;
    if (!e->recorded) return HOST_SUCCESS;
    devices_order_join(&s->order, &e->order);
    devices_submit(c, index, &(struct clock_op){.engine = CLOCK_NONE, .nafter = 1, .after = &e->ticket}, NULL);
    return HOST_SUCCESS;
}

uint32_t devices_host_function(struct devices_call *c)
{
    struct devices *m = c->m;
    uint32_t index;
    struct devices_stream *s = devices_stream_of(c, c->command->host_function.stream, &index);
    if (!s) return HOST_INVALID_RESOURCE;
    c->reply->ticket = devices_submit(c, index, &(struct clock_op){.engine = CLOCK_NONE}, NULL);
    ALLOC_GROW(m->waiting, m->waiting_capacity, m->nwaiting + 1);
    m->waiting[m->nwaiting++] = c->reply->ticket;
    return HOST_SUCCESS;
}

uint32_t devices_host_wait(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_host_wait *q = &c->command->host_wait;
    if (!q->ticket || q->ticket > m->nops || q->force > 1) return HOST_INVALID_VALUE;
    uint32_t stream = m->op[q->ticket].stream;
    if (q->force) {
        devices_deliver(m, &m->stream[stream].order);
        devices_order_join(&m->excused, &m->stream[stream].order);
    } else {
        devices_wait(m, stream, q->ticket);
    }
    return HOST_SUCCESS;
}

int devices_order_host_has(const struct devices *m, uint64_t ticket)
{
    const struct devices_op *op = &m->op[ticket];
    return devices_order_has(&m->host, op->stream, op->issued) ||
           devices_order_has(&m->excused, op->stream, op->issued);
}

// ---------------------------------------------------------------- events

uint32_t devices_event_create(struct devices_call *c)
{
    struct devices *m = c->m;
    uint32_t k = 0;
    if (c->command->event_create.flags > 7) return HOST_INVALID_VALUE;
    while (k < m->nevents && m->event[k].alive) k++;
    if (k == EVENTS_MOST) {
        devices_refuse(c, "the simulator holds at most %d events at a time", EVENTS_MOST);
        return HOST_OUT_OF_MEMORY;
    }
    ALLOC_GROW(m->event, m->events_capacity, k + 1);
    if (k == m->nevents) m->nevents++;
    struct devices_event *e = &m->event[k];
    free(e->order.seen);
    *e = (struct devices_event){.alive = 1,
                                .flags = (uint8_t)c->command->event_create.flags,
                                .device = (uint8_t)c->command->device,
                                .origin = c->command->place};
    c->reply->event = k;
    return HOST_SUCCESS;
}

uint32_t devices_event_destroy(struct devices_call *c)
{
    struct devices_event *e = event_of(c, c->command->event_destroy.event);
    if (!e) return HOST_INVALID_RESOURCE;
    e->alive = 0;
    return HOST_SUCCESS;
}

uint32_t devices_event_record(struct devices_call *c)
{
    uint32_t index;
    struct devices_stream *s = devices_stream_of(c, c->command->event_record.stream, &index);
    struct devices_event *e = event_of(c, c->command->event_record.event);
    if (!s || !e || s->device != e->device) return HOST_INVALID_RESOURCE;
    e->ticket = devices_submit(c, index, &(struct clock_op){.engine = CLOCK_NONE}, NULL);
    s = &c->m->stream[index];
    if (e->order.count) memset(e->order.seen, 0, e->order.count * sizeof *e->order.seen);
    devices_order_join(&e->order, &s->order);
    e->recorded = 1;
    return HOST_SUCCESS;
}

uint32_t devices_event_sync(struct devices_call *c)
{
    struct devices_event *e = event_of(c, c->command->event_sync.event);
    if (!e) return HOST_INVALID_RESOURCE;
    if (!e->recorded) return HOST_SUCCESS;
    virtual_clock_wait(c->m->clock, e->ticket);
    devices_order_join_host(c->m, &e->order);
    return devices_fault(c->m, e->device, 0);
}

uint32_t devices_event_query(struct devices_call *c)
{
    struct devices_event *e = event_of(c, c->command->event_query.event);
    if (!e) return HOST_INVALID_RESOURCE;
    if (!e->recorded) return HOST_SUCCESS;
    if (!virtual_clock_is_done(c->m->clock, e->ticket)) return HOST_NOT_READY;
    devices_order_join(&c->m->host, &e->order);
    return devices_fault(c->m, e->device, 0);
}

uint32_t devices_event_elapsed(struct devices_call *c)
{
    struct devices_event *a = event_of(c, c->command->event_elapsed.start),
                         *b = event_of(c, c->command->event_elapsed.end);
    if (!a || !b || !a->recorded || !b->recorded || (a->flags & HOST_EVENT_NO_TIMING) ||
        (b->flags & HOST_EVENT_NO_TIMING))
        return HOST_INVALID_RESOURCE;
    if (!virtual_clock_is_done(c->m->clock, a->ticket) || !virtual_clock_is_done(c->m->clock, b->ticket))
        return HOST_NOT_READY;
    c->reply->time = (int64_t)(virtual_clock_end(c->m->clock, b->ticket) - virtual_clock_end(c->m->clock, a->ticket));
    return HOST_SUCCESS;
}
