// Opens the cards (real GPUs), reports failures to the judge, and executes commands of the host protocol. The table
// `obey` of cards.c lists every command that a host lab (a lab in which the student writes host code) needs. Any
// command that `obey` does not list makes the measurement void.
#define _GNU_SOURCE
#include "host/cards/cards.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/message.h"

// ---------------------------------------------------------------- failure
uint32_t cards_void(struct cards *c, enum iteration_void why, const char *text)
{
    struct iteration_message m = {.word = ITERATION_VOID, .why = why};
    snprintf(m.text, sizeof m.text, "%s", text);
    if (!c->is_void) iteration_send(c->judge, &m);
    c->is_void = 1;
    return HOST_NOT_SUPPORTED;
}

uint32_t cards_result(struct cards *c, int error)
{
    char words[160];
    if (!error || error == DRIVER_NOT_READY || error == DRIVER_NO_MEMORY) return (uint32_t)error;
    driver_error(c->driver, error, words, sizeof words);
    cards_void(c, VOID_DRIVER, words);
    return (uint32_t)error;
}

// ---------------------------------------------------------------- cards
void cards_enter(struct cards *c, uint32_t device)
{
    if (c->current == (int)device) return;
    cards_result(c, c->driver->set_current(c->context[device]));
    c->current = (int)device;
}

uint32_t cards_synchronize(struct cards *c)
{
    uint32_t result = HOST_SUCCESS;
    for (uint32_t d = 0; d < c->devices && !result; ++d) {
        cards_enter(c, d);
        result = cards_result(c, c->driver->synchronize());
    }
    return result;
}

static int open_card(struct cards *c, uint32_t d, int index)
{
    char number[16], words[160];
    int device, error = c->driver->device(&device, index);
    snprintf(number, sizeof number, "%d", index);
    if (!error) error = c->driver->retain(&c->context[d], device);
    if (!error && gpu_card_find(number, &c->card[d])) error = DRIVER_NOT_FOUND;
    if (!error) return 0;
    driver_error(c->driver, error, words, sizeof words);
    cards_void(c, VOID_CARD, words);
    return -1;
}

int cards_open(struct cards *c, const char *name, uint32_t devices)
{
    char why[OBSERVATION_MESSAGE] = "";
    int count = 0, first;
    c->current = -1;
    c->devices = devices;
    c->tries = channel_tries();
    c->driver = driver_open(why, sizeof why);
    if (c->driver && !c->driver->device_count(&count) && gpu_card_find(name, &c->card[0]))
        message_print(why, sizeof why, "there is no card '%.60s'", name);
    if (why[0]) {
        cards_void(c, VOID_CARD, why);
        return -1;
    }
    c->there = (uint32_t)count;
    first = c->card[0].index;
    for (uint32_t d = 0; d < devices && devices <= c->there; ++d)
        if (open_card(c, d, (first + (int)d) % count)) return -1;
    return 0;
}

uint32_t card_device_facts(struct card_call *q)
{
    struct cards *c = q->c;
    const struct gpu_card *card = &c->card[q->command->device];
    int device, error = c->driver->device(&device, card->index);
    struct host_device d = {
        .memory_bytes = card->memory_bytes,
        .l2_bytes = card->l2_bytes,
        .compute_capability = card->capability,
        .sms = card->sms,
        .shared_per_block = card->shared_per_block,
        .pci_bus = 1 + q->command->device,
    };
    const struct {
        enum driver_device_fact which;
        uint32_t *to, per;
    } fact[] = {
        {FACT_THREADS_PER_BLOCK, &d.threads_per_block, 1},
        {FACT_SHARED_PER_BLOCK, &d.shared_static, 1},
        {FACT_REGISTERS_PER_BLOCK, &d.registers_per_block, 1},
        {FACT_CLOCK_KHZ, &d.clock_khz, 1},
        {FACT_MEMORY_CLOCK_KHZ, &d.memory_clock_khz, 1},
        {FACT_BUS_BITS, &d.bus_bits, 1},
        {FACT_THREADS_PER_SM, &d.warps_per_sm, 32},
        {FACT_COPY_ENGINES, &d.copy_engines, 1},
        {FACT_SHARED_PER_SM, &d.shared_per_sm, 1},
        {FACT_REGISTERS_PER_SM, &d.registers_per_sm, 1},
        {FACT_SINGLE_TO_DOUBLE, &d.single_to_double, 1},
        {FACT_BLOCKS_PER_SM, &d.blocks_per_sm, 1},
        {FACT_SHARED_RESERVED, &d.shared_reserved, 1},
    };
    for (size_t i = 0; i < sizeof fact / sizeof *fact && !error; ++i) {
        int value = 0;
        error = c->driver->device_fact(&value, (int)fact[i].which, device);
        *fact[i].to = (uint32_t)value / fact[i].per;
    }
    snprintf(d.name, sizeof d.name, "%s", card->title);
    snprintf((char *)d.uuid, sizeof d.uuid, "warpwise%u", q->command->device);
    memcpy(q->data, &d, sizeof d);
    q->reply->bytes = sizeof d;
    return cards_result(c, error);
}

// ---------------------------------------------------------------- small commands
static uint32_t hello(struct card_call *q)
{
    struct cards *c = q->c;
    if (q->command->hello.version != HOST_VERSION || c->io) return HOST_INVALID_VALUE;
    card_io_open(c);
    q->reply->devices = c->devices;
    q->reply->tries = c->tries;
    return HOST_SUCCESS;
}

// Does nothing and reports success, for commands that concern only the simulator or that change nothing on a card.
static uint32_t nothing(struct card_call *q)
{
    (void)q;
    return HOST_SUCCESS;
}

static uint32_t read_clock(struct card_call *q)
{
    q->reply->time = (int64_t)q->c->spent_ps;
    return HOST_SUCCESS;
}

// Accepts the program's own device code without loading the code, because the program's code never runs on a card.
static uint32_t load(struct card_call *q)
{
    return q->command->load.bytes > HOST_DATA ? HOST_INVALID_VALUE : HOST_SUCCESS;
}

static uint32_t device_sync(struct card_call *q)
{
    return cards_result(q->c, q->c->driver->synchronize());
}

static uint32_t memory_info(struct card_call *q)
{
    size_t room = 0, total = 0;
    int error = q->c->driver->memory_info(&room, &total);
    q->reply->address = room;
    q->reply->bytes = total;
    return cards_result(q->c, error);
}

// Reports that the cards of a host test cannot access each other's memory.
static uint32_t peer(struct card_call *q)
{
    q->reply->bytes = 0;
    return q->command->peer.action == HOST_PEER_CAN ? HOST_SUCCESS : HOST_PEER_ACCESS_UNSUPPORTED;
}

// ---------------------------------------------------------------- one command
static uint32_t (*const obey[HOST_OPS])(struct card_call *) = {
    [HOST_OP_hello] = hello,
    [HOST_OP_goodbye] = nothing,
    [HOST_OP_collect] = nothing,
    [HOST_OP_early_access] = nothing,
    [HOST_OP_unchecked] = nothing,
    [HOST_OP_refused] = nothing,
    [HOST_OP_device_set] = nothing,
    [HOST_OP_set_attribute] = nothing,
    [HOST_OP_read_clock] = read_clock,
    [HOST_OP_load] = load,
    [HOST_OP_function] = card_function,
    [HOST_OP_device_facts] = card_device_facts,
    [HOST_OP_device_sync] = device_sync,
    [HOST_OP_memory_info] = memory_info,
    [HOST_OP_peer] = peer,
    [HOST_OP_occupancy] = card_occupancy,
    [HOST_OP_alloc] = card_alloc,
    [HOST_OP_release] = card_release,
    [HOST_OP_pointer] = card_pointer,
    [HOST_OP_copy] = card_copy,
    [HOST_OP_fill] = card_fill,
    [HOST_OP_launch] = card_launch,
    [HOST_OP_stream_create] = card_stream_create,
    [HOST_OP_stream_destroy] = card_stream_destroy,
    [HOST_OP_stream_sync] = card_stream_sync,
    [HOST_OP_stream_query] = card_stream_query,
    [HOST_OP_stream_wait] = card_stream_wait,
    [HOST_OP_event_create] = card_event_create,
    [HOST_OP_event_destroy] = card_event_destroy,
    [HOST_OP_event_record] = card_event_record,
    [HOST_OP_event_sync] = card_event_sync,
    [HOST_OP_event_query] = card_event_query,
    [HOST_OP_event_elapsed] = card_event_elapsed,
    [HOST_OP_test] = card_test,
    [HOST_OP_test_begin] = card_test_begin,
    [HOST_OP_test_end] = card_test_end,
    [HOST_OP_test_work] = card_test_work,
};

static uint32_t obey_one(struct card_call *q)
{
    struct cards *c = q->c;
    const struct host_command *command = q->command;
    if (command->op >= HOST_OPS) return HOST_INVALID_VALUE;
    if (command->op != HOST_OP_hello && !c->io) return HOST_UNKNOWN;
    if (command->device >= c->devices) return HOST_INVALID_DEVICE;
    if (c->is_void && command->op != HOST_OP_goodbye) return HOST_NOT_SUPPORTED;
    if (!obey[command->op]) return cards_void(c, VOID_COMMAND, host_op_name[command->op]);
    cards_enter(c, command->device);
    return obey[command->op](q);
}

int cards_obey(void *self, const struct host_command *command, unsigned char *data, struct host_reply *reply,
               int *close_it)
{
    struct cards *c = self;
    struct card_call q = {.c = c, .command = command, .data = data, .reply = reply, .descriptor = -1};
    int64_t from = clock_ns();
    reply->result = obey_one(&q);
    c->spent_ps += (uint64_t)(clock_ns() - from) * 1000;
    reply->host_ps = c->spent_ps;
    *close_it = q.close_it;
    return q.descriptor;
}
