// Implements the runner's side of the wire protocol: a loop that receives a command, calls the engine (simulator or
// GPU), and signals the client. The server trusts its client, which is the judge. Because the server trusts the judge,
// it checks only the command fields that could make the server access memory outside the shared memory.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/die.h"
#include "base/message.h"
#include "wire/shared.h"

struct server {
    struct wire_shared *shared;
    const struct engine_ops *ops;
    struct engine *engine;
    int (*describe)(const char *, struct wire_device *);
};

static int64_t serve_open(struct server *s, const struct wire_command *c, struct wire_reply *r)
{
    if (s->engine) s->ops->close(s->engine);
    s->engine = NULL;
    snprintf(r->device.engine, sizeof r->device.engine, "%s", s->ops->name);
    struct engine_options options = {.device = c->name[0] ? c->name : NULL, .threads = c->threads};
    s->engine = s->ops->open(&options, r->message);
    if (s->engine && s->describe(c->name, &r->device)) {
        message_print(r->message, sizeof r->message, "there is no device '%.40s'", c->name);
        return -1;
    }
    return s->engine ? 0 : -1;
}

static int64_t serve_one(struct server *s, const struct wire_command *c, struct wire_reply *r)
{
    unsigned char *data = s->shared->data;
    if (c->op == WIRE_OP_OPEN) return serve_open(s, c, r);
    if (!s->engine || (c->op != WIRE_OP_ALLOC && c->bytes > WIRE_DATA)) return -1;
    switch (c->op) {
    case WIRE_OP_LOAD:
        return s->ops->load(s->engine, (const char *)data, c->bytes, &r->image, r->message);
    case WIRE_OP_SYMBOL:
        return s->ops->symbol(s->engine, c->name, data, c->bytes);
    case WIRE_OP_ALLOC:
        return s->ops->alloc(s->engine, c->bytes, c->element);
    case WIRE_OP_WRITE:
        return s->ops->write(s->engine, c->buffer, c->offset, data, c->bytes, c->poison != 0);
    case WIRE_OP_READ:
        return s->ops->read(s->engine, c->buffer, c->offset, data, c->bytes);
    case WIRE_OP_LAUNCH:
        s->ops->launch(s->engine, &c->launch, &s->shared->observation);
        return 0;
    case WIRE_OP_RECORDING:
        return s->ops->recording ? s->ops->recording(s->engine, data, WIRE_DATA) : -1;
    case WIRE_OP_RENEW:
        return s->ops->renew ? s->ops->renew(s->engine, c->buffer, c->from, c->word) : -1;
    case WIRE_OP_RESTORE:
        return s->ops->restore ? s->ops->restore(s->engine) : -1;
    case WIRE_OP_HEALTH:
        if (s->ops->health) s->ops->health(s->engine, &r->health);
        return s->ops->health ? 0 : -1;
    case WIRE_OP_RESET:
        s->ops->reset(s->engine);
        return 0;
    case WIRE_OP_CLOSE:
        s->ops->close(s->engine);
        s->engine = NULL;
        return 0;
    default:
        return -1;
    }
}

static uint64_t processor_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

int wire_serve(int memory, int doorbell, const struct engine_ops *ops,
               int (*describe)(const char *name, struct wire_device *))
{
    struct channel channel;
    if (channel_open(&channel, memory, doorbell, sizeof(struct wire_shared)) ||
        !channel_same_build(channel.shared, &WIRE_BUILD))
        die("runner and judge were not built together: run 'make'");
    struct wire_shared *shared = (struct wire_shared *)channel.shared;
    struct server server = {.shared = shared, .ops = ops, .describe = describe};
    int closed = 0;
    while (!closed && !channel_wait(&channel, 0, 0, NULL)) {
        memset(&shared->reply, 0, sizeof shared->reply);
        shared->reply.result = serve_one(&server, &shared->command, &shared->reply);
        shared->reply.number = shared->command.number;
        shared->reply.cpu_ns = processor_ns();
        closed = shared->command.op == WIRE_OP_CLOSE;
        if (channel_ring(&channel, -1)) break;
    }
    if (server.engine) ops->close(server.engine);
    channel_free(&channel);
    return 0;
}
