// The runner's half: a loop that takes a command, calls the engine and rings back. It trusts its client, the judge, and
// checks only what would make it read or write outside the shared memory. It ends when the judge closes or is gone.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "wire/doorbell.h"
#include "wire/shared.h"

struct server {
    struct wire_shared *shared;
    const struct engine_ops *ops;
    struct engine *engine;
    int (*describe)(const char *, struct wire_device *);
};

static int write_byte(int fd)
{
    for (;;) {
        ssize_t n = write(fd, "!", 1);
        if (n == 1) return 0;
        if (n < 0 && errno != EINTR) return -1;
    }
}

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

static int same_build(const struct wire_shared *s)
{
    return s->magic == WIRE_MAGIC && s->version == WIRE_VERSION && s->total == sizeof *s &&
           s->command_bytes == sizeof s->command && s->reply_bytes == sizeof s->reply &&
           s->observation_bytes == sizeof s->observation;
}

int wire_serve(int memory, int doorbell, const struct engine_ops *ops,
               int (*describe)(const char *name, struct wire_device *))
{
    void *at = mmap(NULL, sizeof(struct wire_shared), PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
    if (at == MAP_FAILED) die("cannot map the memory shared with the judge: %s", strerror(errno));
    struct server server = {.shared = at, .ops = ops, .describe = describe};
    if (!same_build(server.shared)) die("runner and judge were not built together: run 'make'");
    int closed = 0;
    while (!closed && !doorbell_wait(doorbell, 0)) {
        struct wire_command *command = &server.shared->command;
        struct wire_reply *reply = &server.shared->reply;
        memset(reply, 0, sizeof *reply);
        reply->result = serve_one(&server, command, reply);
        reply->number = command->number;
        closed = command->op == WIRE_OP_CLOSE;
        if (write_byte(doorbell)) break;
    }
    if (server.engine) ops->close(server.engine);
    munmap(at, sizeof(struct wire_shared));
    return 0;
}
