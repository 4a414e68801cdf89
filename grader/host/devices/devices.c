// Creates and frees the simulated devices of a host program, and executes the program's commands. Every
// command passes through devices_obey(), which adds the command's time to the host's virtual clock. devices_obey() also
// writes the bytes of asynchronous copies that have ended by the host's present virtual time. devices_obey() refuses
// commands to a device with a sticky error, and returns the virtual time in each reply.
#include "host/devices/devices.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/message.h"
#include "base/text.h"
#include "sim/core/plan.h"
#include "sim/lower_kernel.h"
#include "sim/machine/memory.h"

void devices_say(const struct devices_call *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_vprint(c->reply->message, sizeof c->reply->message, format, args);
    va_end(args);
}

void devices_incomplete(struct devices *m, const char *format, ...)
{
    va_list args;
    if (m->trace->message[0]) return;
    va_start(args, format);
    message_vprint(m->trace->message, sizeof m->trace->message, format, args);
    va_end(args);
}

void devices_refuse(struct devices_call *c, const char *format, ...)
{
    char message[OBSERVATION_MESSAGE];
    va_list args;
    va_start(args, format);
    message_vprint(message, sizeof message, format, args);
    va_end(args);
    devices_say(c, "%s", message);
    devices_incomplete(c->m, "%s", message);
}

uint32_t devices_refused(struct devices_call *c)
{
    const struct host_refused *q = &c->command->refused;
    if (!memchr(q->text, 0, sizeof q->text)) return HOST_INVALID_VALUE;
    devices_incomplete(c->m, "%s", q->text);
    return HOST_SUCCESS;
}

struct devices_device *devices_device_of(const struct devices_call *c)
{
    return &c->m->device[c->command->device];
}

static void default_limits(struct devices_device *d)
{
    // The limits of a simulated device have the values that cudaDeviceGetLimit returns for a new context of an H200.
    d->limit[HOST_LIMIT_STACK] = 1024;
    d->limit[HOST_LIMIT_PRINTF] = 8 << 20;
    d->limit[HOST_LIMIT_HEAP] = 8 << 20;
    d->limit[HOST_LIMIT_SYNC_DEPTH] = 2;
    d->limit[HOST_LIMIT_PENDING] = 2048;
    d->limit[HOST_LIMIT_FETCH] = 64;
    d->limit[HOST_LIMIT_PERSISTING] = 0;
}

struct devices *devices_new(const struct devices_options *options, struct host_trace *trace,
                            char message[OBSERVATION_MESSAGE])
{
    const struct device_profile *profile = device_profile_find(options->device);
    const struct sim_handlers *handlers = lower_kernel_handlers(NULL);
    if (!profile || !options->devices || options->devices > HOST_DEVICES) {
        message_print(message, OBSERVATION_MESSAGE, "there is no device '%.40s', or not %u of them",
                      options->device ? options->device : "", options->devices);
        return NULL;
    }
    struct devices *m = alloc_zeroed(1, sizeof *m);
    m->options = *options;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    if (!m->options.threads) m->options.threads = cores > 0 ? (uint32_t)cores : 1;
    m->profile = profile;
    m->handlers = handlers;
    m->memory = sim_memory_new();
    m->clock = virtual_clock_new(profile);
    m->trace = trace ? trace : alloc_zeroed(1, sizeof *trace);
    m->observation = alloc_zeroed(1, sizeof *m->observation);
    m->trace->build = HOST_TRACE_BUILD;
    m->trace->devices = options->devices;
    snprintf(m->trace->device, sizeof m->trace->device, "%s", profile->name);
    snprintf(m->trace->title, sizeof m->trace->title, "%s", profile->title);
    m->trace->sms = (uint32_t)profile->sms;
    ALLOC_GROW(m->stream, m->streams_capacity, options->devices);
    m->nstreams = options->devices;
    for (uint32_t d = 0; d < options->devices; d++) {
        m->stream[d] = (struct devices_stream){.alive = 1, .device = (uint8_t)d};
        default_limits(&m->device[d]);
    }
    devices_io_new(m);
    return m;
}

void devices_free(struct devices *m)
{
    if (!m) return;
    for (uint32_t i = 0; i < m->nmem; i++) {
        if (m->mem[i].kind != HOST_MEMORY_NONE && m->mem[i].data) devices_release_region(m, (int)i);
        free(m->mem[i].access);
        free(m->mem[i].given);
        free(m->mem[i].writer);
    }
    devices_io_free(m);
    devices_cache_free(m);
    devices_l2_free(m);
    for (uint32_t i = 0; i < m->nmodules; i++) {
        for (uint32_t d = 0; d < HOST_DEVICES; d++) sim_image_free(m->module[i].image[d]);
        free(m->module[i].text);
        free(m->module[i].bytes);
    }
    sim_memory_free(m->memory);
    virtual_clock_free(m->clock);
    for (uint32_t i = 0; i < m->nstreams; i++) free(m->stream[i].order.seen);
    for (uint32_t i = 0; i < m->nevents; i++) free(m->event[i].order.seen);
    for (uint32_t i = 0; i < m->ndeliveries; i++) free(m->delivery[i].bytes);
    free(m->host.seen);
    free(m->excused.seen);
    for (uint64_t i = 0; i < m->njoining; i++) free(m->joining[i].seen);
    free(m->joining);
    free(m->stream);
    free(m->event);
    free(m->op);
    free(m->mem);
    free(m->module);
    free(m->function);
    free(m->delivery);
    free(m->waiting);
    free(m->edge);
    free(m->released);
    free(m->observation);
    text_free(&m->print);
    free(m);
}

// ---------------------------------------------------------------- one command

static uint32_t (*const obey[HOST_OPS])(struct devices_call *) = {
#define HOST(name, ns, source) devices_##name,
#include "host/border/host.def"
#undef HOST
};

// Returns 1 if the command `op` is executed even on a device with a sticky error.
static int always(uint32_t op)
{
    switch (op) {
    case HOST_OP_hello:
    case HOST_OP_goodbye:
    case HOST_OP_progress:
    case HOST_OP_undetermined:
    case HOST_OP_collect:
    case HOST_OP_read_clock:
    case HOST_OP_device_reset:
    case HOST_OP_device_set:
    case HOST_OP_device_facts:
    case HOST_OP_test:
    case HOST_OP_early_access:
    case HOST_OP_unchecked:
    case HOST_OP_host_wait:
    case HOST_OP_refused:
    case HOST_OP_get:
    case HOST_OP_put:
        return 1;
    default:
        return 0;
    }
}

enum { POOL_NS = 1000 }; // estimate: as other calls that enqueue work

// Returns the time in ps that the host needs for the call itself. As long as a memory pool does not grow, an allocation
// from the pool and its release take time only on the host, not on the device. The order between the nodes of a graph
// costs the host nothing, because a GPU knows that order since the graph's instantiation.
static uint64_t call_ps(const struct host_command *q)
{
    int order = q->op == HOST_OP_event_record || q->op == HOST_OP_stream_wait;
    int pool = (q->op == HOST_OP_alloc && q->alloc.ordered) || (q->op == HOST_OP_release && q->release.ordered);
    return q->in_graph && order ? 0 : (uint64_t)(pool ? POOL_NS : host_op_ns[q->op]) * 1000;
}

// LATEST_PS, about 18 minutes, limits the virtual time that a command claims for its host thread (the field at_ps).
// With the limit LATEST_PS, no computed time overflows, and all times fit into the host trace.
static const uint64_t LATEST_PS = UINT64_C(1) << 50;

static uint32_t obey_one(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_command *q = c->command;
    if (q->op >= HOST_OPS) return HOST_INVALID_VALUE;
    if (q->op != HOST_OP_hello && !m->greeted) return HOST_UNKNOWN;
    if (q->device >= m->options.devices) return HOST_INVALID_DEVICE;
    if (q->clock >= CLOCK_THREADS || q->shared > 1) return HOST_INVALID_VALUE;
    if (q->op == HOST_OP_progress) return devices_progress(c);
    m->thread = q->clock;
    virtual_clock_turn(m->clock, q->clock, q->at_ps < LATEST_PS ? q->at_ps : LATEST_PS, (int)q->shared);
    if (q->op != HOST_OP_put && q->op != HOST_OP_get) m->transfer.kind = HOST_TRANSFER_NONE;
    virtual_clock_spend(m->clock, call_ps(q));
    devices_deliver(m, NULL);
    uint32_t fault = always(q->op) ? HOST_SUCCESS : devices_fault(m, q->device, 0);
    if (fault) return fault;
    uint32_t result = obey[q->op](c);
    devices_deliver(m, NULL);
    return result;
}

// Moves the tickets (numbers) of copies of pinned memory that the program has waited for from m->waiting to
// m->released.
static void release_tickets(struct devices *m)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < m->nwaiting; i++) {
        uint64_t ticket = m->waiting[i];
        if (!devices_order_host_has(m, ticket)) {
            m->waiting[kept++] = ticket;
            continue;
        }
        ALLOC_GROW(m->released, m->released_capacity, m->nreleased + 1);
        m->released[m->nreleased++] = ticket;
    }
    m->nwaiting = kept;
}

int devices_obey(void *self, const struct host_command *command, unsigned char *data, struct host_reply *reply,
                 int *close_it)
{
    struct devices *m = self;
    struct devices_call c = {.m = m, .command = command, .data = data, .reply = reply, .descriptor = -1};
    devices_cache_command(m, command->op);
    reply->result = obey_one(&c);
    if (command->device < m->options.devices) reply->sticky = m->device[command->device].sticky != 0;
    release_tickets(m);
    reply->pending = (m->print.length ? HOST_PENDING_PRINT : 0) | (m->nreleased ? HOST_PENDING_TICKETS : 0);
    reply->host_ps = virtual_clock_host(m->clock);
    reply->waits = virtual_clock_is_waiting(m->clock) != 0;
    *close_it = c.close_it;
    return c.descriptor;
}

// ---------------------------------------------------------------- the program's life

const uint32_t *devices_is_over(const struct devices *m)
{
    return &m->trace->exhausted;
}

uint32_t devices_hello(struct devices_call *c)
{
    if (c->command->hello.version != HOST_VERSION || c->m->greeted) return HOST_INVALID_VALUE;
    c->m->greeted = 1;
    devices_io_open(c->m);
    c->reply->devices = c->m->options.devices;
    c->reply->checks = c->m->options.checks;
    c->reply->deterministic = c->m->options.deterministic;
    return HOST_SUCCESS;
}

uint32_t devices_goodbye(struct devices_call *c)
{
    devices_end(c->m, 1, c->command->goodbye.exit_code);
    return HOST_SUCCESS;
}

void devices_end(struct devices *m, int said_goodbye, int exit_code)
{
    if (m->trace->host_ps) return; // the trace is complete already
    m->trace->goodbye = (uint32_t)said_goodbye;
    m->trace->exit_code = (uint32_t)exit_code;
    if (said_goodbye) devices_defect_end(m);
    virtual_clock_gather(m->clock);
    virtual_clock_finish(m->clock);
    devices_trace_close(m);
    m->trace->host_ps = virtual_clock_host(m->clock) + 1;
}

uint32_t devices_collect(struct devices_call *c)
{
    struct devices *m = c->m;
    if (c->command->collect.what == HOST_PENDING_PRINT) {
        size_t n = m->print.length < HOST_DATA ? m->print.length : HOST_DATA;
        if (n) memcpy(c->data, m->print.data, n);
        if (n) memmove(m->print.data, m->print.data + n, m->print.length - n);
        m->print.length -= n;
        c->reply->bytes = n;
    } else if (c->command->collect.what == HOST_PENDING_TICKETS) {
        uint32_t most = HOST_DATA / sizeof(uint64_t), n = m->nreleased < most ? m->nreleased : most;
        if (n) memcpy(c->data, m->released, n * sizeof(uint64_t));
        if (n) memmove(m->released, m->released + n, (m->nreleased - n) * sizeof(uint64_t));
        m->nreleased -= n;
        c->reply->bytes = n * sizeof(uint64_t);
    } else {
        return HOST_INVALID_VALUE;
    }
    return HOST_SUCCESS;
}

uint32_t devices_read_clock(struct devices_call *c)
{
    c->reply->time = (int64_t)virtual_clock_host(c->m->clock);
    return HOST_SUCCESS;
}

uint32_t devices_progress(struct devices_call *c)
{
    struct devices *m = c->m;
    uint32_t thread = 0;
    if (!virtual_clock_progress(m->clock, c->command->progress.until_ps, &thread)) {
        c->reply->quiet_ps = virtual_clock_quiet(m->clock);
        return HOST_NOT_READY;
    }
    m->thread = thread;
    devices_order_waited(m, thread);
    devices_deliver(m, NULL);
    c->reply->clock = thread;
    return HOST_SUCCESS;
}
