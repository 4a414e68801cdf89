// Implements the judge's side of the wire protocol: sends the operations of an engine (simulator or GPU) to a runner
// process, and checks the replies.
//
// Each function wire_* fills in shared->command, signals the runner, and waits until the runner answers or ends
// (wire/channel.h). A hostile kernel may have taken over the runner, and the runner may then write to the shared memory
// while the judge reads. The judge therefore first copies each reply out of the shared memory, and then checks the
// copy, which the runner process cannot change.
//
//   shared->reply ──copy──▶ our reply ──check──▶ caller
//   shared->observation ──copy──▶ caller's ──check──▶ caller
//
// Each command to the runner process has a time limit, which is measured by CLOCK_MONOTONIC. Independently of a
// command's time limit, the engine (simulator or GPU) stops a kernel that exceeds a budget of instructions. If a
// command exceeds its time limit, the cause is therefore the machine or the grader, never the student's kernel.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "wire/shared.h"

enum { PIECE = 4 << 20 }; // bytes copied at once; a piece fits into a CPU cache, and its exchange costs little

static void say(struct wire_client *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct wire_client *c, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    message_vprint(c->message, sizeof c->message, format, args);
    va_end(args);
}

static int broken(struct wire_client *c, enum wire_end end, const char *why)
{
    c->end = end;
    snprintf(c->message, sizeof c->message, "%s", why);
    return WIRE_BROKEN;
}

int wire_client_make(struct wire_client *c, double patience_s)
{
    *c = (struct wire_client){.patience_s = patience_s};
    if (channel_make(&c->channel, "warpwise", &WIRE_BUILD)) {
        say(c, "cannot make a connection to the runner: %s", strerror(errno));
        return -1;
    }
    c->shared = (struct wire_shared *)c->channel.shared;
    return 0;
}

void wire_client_free(struct wire_client *c)
{
    channel_free(&c->channel);
    c->shared = NULL;
}

// Waits until the runner process signals with channel_ring() that its reply is ready. Returns 0, or WIRE_BROKEN if the
// runner process ended or did not answer in time.
static int await(struct wire_client *c)
{
    char why[160];
    int answer = channel_wait(&c->channel, c->patience_s, 0, NULL);
    if (!answer) return 0;
    if (answer < 0) return broken(c, WIRE_DIED, _("the runner ended before it answered"));
    message_print(why, sizeof why, "the runner gave no answer within %.0f s", c->patience_s);
    return broken(c, WIRE_TIMEOUT, why);
}

// Sends shared->command as operation `op`, and copies the reply into *reply. Returns enum wire_answer.
static int exchange(struct wire_client *c, enum wire_op op, struct wire_reply *reply)
{
    if (c->end != WIRE_ALIVE) return WIRE_BROKEN;
    c->shared->command.op = op;
    c->shared->command.number = ++c->number;
    if (channel_ring(&c->channel, -1)) return broken(c, WIRE_DIED, _("the runner ended by itself"));
    if (await(c)) return WIRE_BROKEN;
    memcpy(reply, &c->shared->reply, sizeof *reply);
    c->cpu_ns = reply->cpu_ns;
    if (reply->number != c->number) return broken(c, WIRE_NONSENSE, _("the runner's reply belongs to another command"));
    if (wire_check_message(reply->message, sizeof reply->message))
        return broken(c, WIRE_NONSENSE, _("the runner's message has no end"));
    if (reply->result >= 0) return WIRE_YES;
    snprintf(c->message, sizeof c->message, "%s", reply->message);
    c->undefined = reply->result == ENGINE_UNDEFINED;
    return WIRE_NO;
}

// Sets all fields of shared->command to zero. Returns a pointer to shared->command, which the caller then fills in.
static struct wire_command *command(struct wire_client *c)
{
    struct wire_command *at = &c->shared->command;
    memset(at, 0, sizeof *at);
    return at;
}

static int nonsense(struct wire_client *c, const char *what, const char *why)
{
    char text[OBSERVATION_MESSAGE];
    message_print(text, sizeof text, "the runner's %s makes no sense: %.180s", _(what), why);
    return broken(c, WIRE_NONSENSE, text);
}

int wire_open(struct wire_client *c, const struct engine_options *options, struct wire_device *device)
{
    struct wire_reply reply;
    char why[OBSERVATION_MESSAGE];
    struct wire_command *at = command(c);
    if (options->device && strlen(options->device) >= sizeof at->name) {
        say(c, "there is no device with such a long name");
        return WIRE_NO;
    }
    snprintf(at->name, sizeof at->name, "%s", options->device ? options->device : "");
    at->threads = options->threads;
    int answer = exchange(c, WIRE_OP_OPEN, &reply);
    if (answer) return answer;
    *device = reply.device;
    return wire_check_device(device, why) ? nonsense(c, "word on its device", why) : WIRE_YES;
}

int wire_load(struct wire_client *c, const char *image, size_t bytes, struct engine_image *facts)
{
    struct wire_reply reply;
    char why[OBSERVATION_MESSAGE];
    if (bytes > WIRE_DATA) {
        say(c, "the image has %zu bytes; the maximum is %d", bytes, WIRE_DATA);
        return WIRE_NO;
    }
    memcpy(c->shared->data, image, bytes);
    command(c)->bytes = bytes;
    int answer = exchange(c, WIRE_OP_LOAD, &reply);
    if (answer) return answer;
    *facts = reply.image;
    return wire_check_image(facts, why) ? nonsense(c, "word on the image", why) : WIRE_YES;
}

int wire_symbol(struct wire_client *c, const char *name, void *data, size_t capacity, size_t *size)
{
    struct wire_reply reply;
    struct wire_command *at = command(c);
    BUG_ON(strlen(name) >= sizeof at->name || capacity > WIRE_VARIABLE);
    snprintf(at->name, sizeof at->name, "%s", name);
    at->bytes = capacity;
    int answer = exchange(c, WIRE_OP_SYMBOL, &reply);
    if (answer) return answer;
    *size = (size_t)reply.result;
    memcpy(data, c->shared->data, *size < capacity ? *size : capacity);
    return WIRE_YES;
}

int wire_recording(struct wire_client *c, struct text *out)
{
    struct wire_reply reply;
    command(c);
    int answer = exchange(c, WIRE_OP_RECORDING, &reply);
    if (answer) return answer;
    if (reply.result > WIRE_DATA) return nonsense(c, "recording", _("it is too long"));
    text_add(out, (const char *)c->shared->data, (size_t)reply.result);
    return WIRE_YES;
}

int wire_alloc(struct wire_client *c, uint64_t bytes, uint32_t element, int *buffer)
{
    struct wire_reply reply;
    struct wire_command *at = command(c);
    at->bytes = bytes;
    at->element = element;
    int answer = exchange(c, WIRE_OP_ALLOC, &reply);
    if (answer) return answer;
    if (reply.result >= ENGINE_BUFFERS) return nonsense(c, "buffer", _("its index is too large"));
    *buffer = (int)reply.result;
    return WIRE_YES;
}

// Moves `bytes` bytes between a buffer of the runner process and the shared memory, in pieces of at most PIECE bytes,
// by the operation what->op. Copies each piece from `out` to the shared memory before a WIRE_OP_WRITE. Calls `piece`
// with each piece after a WIRE_OP_READ.
static int move(struct wire_client *c, const struct wire_command *what, uint64_t bytes, const unsigned char *out,
                wire_piece *piece, void *data)
{
    int ended = 0;
    for (uint64_t done = 0; done < bytes && !ended;) {
        struct wire_reply reply;
        uint64_t length = bytes - done < PIECE ? bytes - done : PIECE;
        struct wire_command *at = command(c);
        *at = *what;
        at->offset += (int64_t)done;
        at->bytes = length;
        if (out) memcpy(c->shared->data, out + done, length);
        int answer = exchange(c, (enum wire_op)what->op, &reply);
        if (answer) return answer;
        if (piece) ended = piece(data, c->shared->data, done, length);
        done += length;
    }
    return WIRE_YES;
}

int wire_write(struct wire_client *c, int buffer, int64_t offset, const void *data, uint64_t bytes, int poison)
{
    struct wire_command what = {.op = WIRE_OP_WRITE, .buffer = buffer, .offset = offset, .poison = (uint32_t)poison};
    return move(c, &what, bytes, data, NULL, NULL);
}

static int copy_in(void *data, const unsigned char *shared, uint64_t done, uint64_t bytes)
{
    memcpy((unsigned char *)data + done, shared, bytes);
    return 0;
}

int wire_read(struct wire_client *c, int buffer, int64_t offset, void *data, uint64_t bytes)
{
    struct wire_command what = {.op = WIRE_OP_READ, .buffer = buffer, .offset = offset};
    return move(c, &what, bytes, NULL, copy_in, data);
}

int wire_scan(struct wire_client *c, int buffer, uint64_t bytes, wire_piece *piece, void *data)
{
    struct wire_command what = {.op = WIRE_OP_READ, .buffer = buffer};
    return move(c, &what, bytes, NULL, piece, data);
}

struct comparison {
    const unsigned char *with;
    uint64_t *first;
};

static int compare(void *data, const unsigned char *shared, uint64_t done, uint64_t bytes)
{
    const struct comparison *c = data;
    uint64_t i = 0;
    if (!memcmp(shared, c->with + done, bytes)) return 0;
    while (i + 1 < bytes && shared[i] == c->with[done + i]) ++i;
    *c->first = done + i;
    return 1;
}

int wire_compare(struct wire_client *c, int buffer, const void *data, uint64_t bytes, uint64_t *first)
{
    *first = bytes;
    return wire_scan(c, buffer, bytes, compare, &(struct comparison){data, first});
}

int wire_launch(struct wire_client *c, const struct engine_launch *launch, struct observation *o)
{
    struct wire_reply reply;
    char why[OBSERVATION_MESSAGE];
    command(c)->launch = *launch;
    int answer = exchange(c, WIRE_OP_LAUNCH, &reply);
    if (answer) return answer;
    memcpy(o, &c->shared->observation, sizeof *o);
    if (wire_check_observation(o, launch, why)) return nonsense(c, "observation", why);
    observation_say(o);
    return WIRE_YES;
}

int wire_renew(struct wire_client *c, int buffer, int from, uint32_t word)
{
    struct wire_reply reply;
    struct wire_command *at = command(c);
    at->buffer = buffer;
    at->from = from;
    at->word = word;
    return exchange(c, WIRE_OP_RENEW, &reply);
}

int wire_restore(struct wire_client *c)
{
    struct wire_reply reply;
    command(c);
    return exchange(c, WIRE_OP_RESTORE, &reply);
}

int wire_health(struct wire_client *c, struct engine_health *health)
{
    struct wire_reply reply;
    char why[OBSERVATION_MESSAGE];
    command(c);
    int answer = exchange(c, WIRE_OP_HEALTH, &reply);
    if (answer) return answer;
    *health = reply.health;
    return wire_check_health(health, why) ? nonsense(c, "word on the card's state", why) : WIRE_YES;
}

int wire_reset(struct wire_client *c)
{
    struct wire_reply reply;
    command(c);
    return exchange(c, WIRE_OP_RESET, &reply);
}

int wire_close(struct wire_client *c)
{
    struct wire_reply reply;
    command(c);
    return exchange(c, WIRE_OP_CLOSE, &reply);
}
