// Implements streams, events, and launches of the lab's kernel (the kernel that the lab supplies) on real GPUs. The
// lab's kernel has the parameters (in, out, n) and computes out[i] from in[i] alone (lab/lab.h). The program may launch
// the lab's kernel if the elements of `in` and `out` that the threads access lie in the card's memory.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/cards/cards.h"

enum { STREAMS = 1 << 16, EVENTS = 1 << 16, PARAM_BYTES = 20, NO_TIMING = 2 };

// ---------------------------------------------------------------- streams
// Returns the default stream of a device. The driver's handle of a default stream is NULL.
static struct card_stream *default_stream(struct cards *c, uint32_t device)
{
    if (!c->stream) {
        c->stream = alloc_zeroed(STREAMS, sizeof *c->stream);
        for (uint32_t d = 0; d < c->devices; ++d) c->stream[d] = (struct card_stream){.device = d, .alive = 1};
        c->nstreams = c->devices;
    }
    return &c->stream[device];
}

struct card_stream *card_stream_of(const struct card_call *q, uint32_t stream)
{
    struct card_stream *first = default_stream(q->c, q->command->device);
    if (!stream) return first;
    return stream >= q->c->devices && stream < q->c->nstreams && q->c->stream[stream].alive ? &q->c->stream[stream]
                                                                                            : NULL;
}

uint32_t card_stream_create(struct card_call *q)
{
    struct cards *c = q->c;
    unsigned flags = q->command->stream_create.flags & HOST_STREAM_NON_BLOCKING;
    default_stream(c, 0);
    uint32_t i = c->devices;
    while (i < c->nstreams && c->stream[i].alive) ++i;
    if (i == STREAMS) return HOST_OUT_OF_MEMORY;
    void *made = NULL;
    uint32_t result = cards_result(c, c->driver->stream(&made, flags, q->command->stream_create.priority));
    if (result) return result;
    c->stream[i] = (struct card_stream){.stream = made, .device = q->command->device, .alive = 1};
    if (i == c->nstreams) ++c->nstreams;
    q->reply->stream = i;
    return HOST_SUCCESS;
}

// Calls the driver's function `call` with the handle of a stream or event of the device. Returns enum host_result.
static uint32_t call_on(struct cards *c, uint32_t device, int (*call)(void *), void *handle)
{
    cards_enter(c, device);
    return cards_result(c, call(handle));
}

static uint32_t call_on_stream(struct card_call *q, uint32_t stream, int (*call)(void *))
{
    const struct card_stream *s = card_stream_of(q, stream);
    return s ? call_on(q->c, s->device, call, s->stream) : (uint32_t)HOST_INVALID_RESOURCE;
}

uint32_t card_stream_destroy(struct card_call *q)
{
    struct card_stream *s = card_stream_of(q, q->command->stream_destroy.stream);
    if (!s || !s->stream) return HOST_INVALID_RESOURCE;
    s->alive = 0;
    return call_on(q->c, s->device, q->c->driver->stream_destroy, s->stream);
}

uint32_t card_stream_sync(struct card_call *q)
{
    return call_on_stream(q, q->command->stream_sync.stream, q->c->driver->stream_sync);
}

uint32_t card_stream_query(struct card_call *q)
{
    return call_on_stream(q, q->command->stream_query.stream, q->c->driver->stream_query);
}

// ---------------------------------------------------------------- events
static struct card_event *event_of(const struct card_call *q, uint32_t event)
{
    return event < q->c->nevents && q->c->event[event].alive ? &q->c->event[event] : NULL;
}

uint32_t card_event_create(struct card_call *q)
{
    struct cards *c = q->c;
    uint32_t i = 0;
    if (!c->event) c->event = alloc_zeroed(EVENTS, sizeof *c->event);
    while (i < c->nevents && c->event[i].alive) ++i;
    if (i == EVENTS) return HOST_OUT_OF_MEMORY;
    void *made = NULL;
    unsigned flags = q->command->event_create.flags & (HOST_EVENT_BLOCKING | NO_TIMING); // the driver's values
    uint32_t result = cards_result(c, c->driver->event(&made, flags));
    if (result) return result;
    c->event[i] = (struct card_event){.event = made, .device = q->command->device, .alive = 1};
    if (i == c->nevents) ++c->nevents;
    q->reply->event = i;
    return HOST_SUCCESS;
}

uint32_t card_event_destroy(struct card_call *q)
{
    struct card_event *e = event_of(q, q->command->event_destroy.event);
    if (!e) return HOST_INVALID_RESOURCE;
    e->alive = 0;
    return call_on(q->c, e->device, q->c->driver->event_destroy, e->event);
}

uint32_t card_event_record(struct card_call *q)
{
    struct card_event *e = event_of(q, q->command->event_record.event);
    const struct card_stream *s = card_stream_of(q, q->command->event_record.stream);
    if (!e || !s || e->device != s->device) return HOST_INVALID_RESOURCE;
    e->recorded = 1;
    cards_enter(q->c, s->device);
    return cards_result(q->c, q->c->driver->record(e->event, s->stream));
}

uint32_t card_stream_wait(struct card_call *q)
{
    const struct card_event *e = event_of(q, q->command->stream_wait.event);
    const struct card_stream *s = card_stream_of(q, q->command->stream_wait.stream);
    if (!e || !s) return HOST_INVALID_RESOURCE;
    cards_enter(q->c, s->device);
    return cards_result(q->c, q->c->driver->stream_wait(s->stream, e->event, 0));
}

static uint32_t call_on_event(struct card_call *q, uint32_t event, int (*call)(void *))
{
    const struct card_event *e = event_of(q, event);
    return e ? call_on(q->c, e->device, call, e->event) : (uint32_t)HOST_INVALID_RESOURCE;
}

uint32_t card_event_sync(struct card_call *q)
{
    return call_on_event(q, q->command->event_sync.event, q->c->driver->event_sync);
}

uint32_t card_event_query(struct card_call *q)
{
    return call_on_event(q, q->command->event_query.event, q->c->driver->event_query);
}

uint32_t card_event_elapsed(struct card_call *q)
{
    const struct card_event *start = event_of(q, q->command->event_elapsed.start);
    const struct card_event *end = event_of(q, q->command->event_elapsed.end);
    float ms = 0;
    if (!start || !end || !start->recorded || !end->recorded || start->device != end->device)
        return HOST_INVALID_RESOURCE;
    cards_enter(q->c, start->device);
    int error = q->c->driver->elapsed(&ms, start->event, end->event);
    if (error == HOST_INVALID_RESOURCE) return HOST_INVALID_RESOURCE; // the event was created without timing
    q->reply->time = (int64_t)((double)ms * 1e9);
    return cards_result(q->c, error);
}

// ---------------------------------------------------------------- the kernel
static uint32_t load_module(struct cards *c, uint32_t device)
{
    if (c->module[device]) return HOST_SUCCESS;
    char *image = alloc_strndup((char *)c->io + c->layout.image, c->layout.nimage);
    uint32_t result = cards_result(c, c->driver->load(&c->module[device], image, 0, NULL, NULL));
    free(image);
    return result;
}

uint32_t card_function(struct card_call *q)
{
    struct cards *c = q->c;
    const struct host_function *f = &q->command->function;
    char name[sizeof f->name];
    void *found = NULL;
    memcpy(name, f->name, sizeof name);
    if (name[sizeof name - 1]) return HOST_INVALID_VALUE;
    uint32_t result = load_module(c, q->command->device);
    if (result) return result;
    if (c->driver->function(&found, c->module[q->command->device], name)) return cards_void(c, VOID_KERNEL, name);
    memcpy(c->kernel, name, sizeof c->kernel);
    static const struct {
        enum driver_function_fact which;
        size_t to;
    } fact[] = {{FUNCTION_REGISTERS, offsetof(struct host_reply, registers)},
                {FUNCTION_SHARED_BYTES, offsetof(struct host_reply, shared_bytes)},
                {FUNCTION_LOCAL_BYTES, offsetof(struct host_reply, local_bytes)},
                {FUNCTION_THREADS, offsetof(struct host_reply, threads_per_block)}};
    for (size_t i = 0; i < sizeof fact / sizeof *fact; ++i) {
        int value = 0;
        c->driver->function_fact(&value, (int)fact[i].which, found);
        *(uint32_t *)(void *)((char *)q->reply + fact[i].to) = (uint32_t)value;
    }
    const struct host_param param[] = {{0, 8}, {8, 8}, {16, 4}};
    memcpy(q->data, param, sizeof param);
    q->reply->bytes = sizeof param;
    q->reply->max_dynamic_shared = 48 << 10;
    q->reply->ptx_version = c->card[0].capability;
    q->reply->carveout = -1;
    return HOST_SUCCESS;
}

// Returns the driver's handle of the lab's kernel on the command's device, or NULL with the error in *result.
static void *kernel_of(const struct card_call *q, uint32_t function, uint32_t *result)
{
    struct cards *c = q->c;
    void *found = NULL;
    *result = function || !c->kernel[0] ? HOST_INVALID_DEVICE_FUNCTION : load_module(c, q->command->device);
    if (!*result) *result = cards_result(c, c->driver->function(&found, c->module[q->command->device], c->kernel));
    return *result ? NULL : found;
}

static int in_card(const struct card_call *q, uint64_t address, uint64_t bytes, uint64_t *real)
{
    const struct card_memory *m = card_memory_find(q->c, address, bytes);
    if (!m || m->kind != HOST_MEMORY_DEVICE || m->device != q->command->device || address % HOST_IO_WORD) return 0;
    *real = m->data + (address - m->address);
    return 1;
}

uint32_t card_launch(struct card_call *q)
{
    struct cards *c = q->c;
    const struct host_launch *l = &q->command->launch;
    const struct card_stream *s = card_stream_of(q, l->stream);
    uint64_t in, out, threads = (uint64_t)l->grid[0] * l->block[0], real[2];
    unsigned char params[PARAM_BYTES];
    uint32_t result;
    int32_t n;
    void *function = kernel_of(q, l->function, &result);
    if (!function) return result;
    if (!s || s->device != q->command->device) return HOST_INVALID_RESOURCE;
    if (l->param_bytes != PARAM_BYTES) return HOST_INVALID_VALUE;
    memcpy(params, q->data, sizeof params); // a copy, because the host may change the data at any time
    memcpy(&in, params, sizeof in);
    memcpy(&out, params + 8, sizeof out);
    memcpy(&n, params + 16, sizeof n);
    uint64_t bytes = (n < 0 ? 0 : (uint64_t)n < threads ? (uint64_t)n : threads) * HOST_IO_WORD;
    if (!in_card(q, in, bytes, &real[0]) || !in_card(q, out, bytes, &real[1])) return cards_void(c, VOID_ARRAYS, "");
    void *argument[] = {&real[0], &real[1], &n};
    int error = c->driver->launch(function, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
                                  (unsigned)l->shared, s->stream, argument, NULL);
    if (error == HOST_INVALID_VALUE || error == HOST_INVALID_CONFIGURATION) return (uint32_t)error;
    if (!error) card_io_note(c, ACT_KERNEL, out, in, bytes);
    q->reply->ticket = 1;
    return cards_result(c, error);
}

uint32_t card_occupancy(struct card_call *q)
{
    const struct host_occupancy *o = &q->command->occupancy;
    uint32_t result;
    int blocks = 0;
    void *function = kernel_of(q, o->function, &result);
    if (!function) return result;
    if (!o->block || o->block > 1024 || o->shared > 1 << 20) return HOST_INVALID_VALUE;
    int error = q->c->driver->resident(&blocks, function, (int)o->block, o->shared);
    q->reply->bytes = blocks < 0 ? 0 : (uint32_t)blocks;
    return cards_result(q->c, error);
}
