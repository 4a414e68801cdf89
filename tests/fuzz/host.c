// Fuzz target of the host border: commands of a hostile student's program that bypasses libcudart. The machine must
// answer every command, and its host trace must pass the judge's check.
//
// An input is text with a command in each line: its name (host/border/host.def), then its fields as 32-bit words,
// in order.
// "@3" stands for the address (two words) in the third reply. A module is loaded and memory is allocated before the
// input.
#define _GNU_SOURCE
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "host/border/host_trace.h"
#include "host/devices/devices.h"

enum { ANSWERS = 64, WORDS = 32, BYTES = 4096, COMMANDS_MOST = 64 };
static const uint64_t BUDGET = 3000, BYTES_MOST = 16 << 20;

static const char module[] =
    ".version 7.5\n.target sm_75\n.address_size 64\n.visible .global .align 4 .u32 counter = 5;\n"
    ".visible .entry add(.param .u64 in, .param .u32 n)\n"
    "{ .reg .pred %p<2>; .reg .b32 %r<9>; .reg .b64 %rd<8>;\n"
    "ld.param.u64 %rd1, [in]; ld.param.u32 %r1, [n]; mov.u32 %r5, %tid.x; setp.ge.u32 %p1, %r5, %r1; @%p1 bra DONE;\n"
    "mul.wide.u32 %rd4, %r5, 4; add.s64 %rd5, %rd1, %rd4; ld.global.u32 %r7, [%rd5]; add.s32 %r7, %r7, 1;\n"
    "st.global.u32 [%rd5], %r7;\nDONE: ret; }\n";

static const char *const names[] = {
#define HOST(name, ns, source) #name,
#include "host/border/host.def"
#undef HOST
};
enum { NAMES = sizeof names / sizeof *names };

static const char *const words[] = {
#define HOST(name, ns, source) #name,
#include "host/border/host.def"
#undef HOST
    "\n", " ",  "@1",  "@2",   "@3",   "@4",   "@5",    "0",          "1",          "2",          "3",  "4",
    "16", "64", "255", "4095", "4096", "4097", "65536", "2147483647", "2147483648", "4294967295", NULL,
};

struct talk {
    struct devices *machine;
    unsigned char *data;
    uint64_t answer[ANSWERS];
    uint32_t number, answers;
};

static uint32_t say(struct talk *t, struct host_command *c, uint32_t op)
{
    struct host_reply r = {0};
    int close_it = 0;
    c->op = op;
    c->number = ++t->number;
    c->place = (struct host_place){.object = HOST_OBJECT_PROGRAM, .offset = t->number};
    int descriptor = devices_obey(t->machine, c, t->data, &r, &close_it);
    if (descriptor >= 0 && close_it) close(descriptor);
    if (r.address && t->answers < ANSWERS) t->answer[t->answers++] = r.address;
    return r.result;
}
#define SAY(t, name, ...) say(t, &(struct host_command){.name = (struct host_##name){__VA_ARGS__}}, HOST_OP_##name)

static void begin(struct talk *t)
{
    uint64_t size = sizeof module - 1;
    SAY(t, hello, .version = HOST_VERSION);
    memcpy(t->data, &size, sizeof size);
    memcpy(t->data + sizeof size, module, size);
    if (SAY(t, load, .units = 1, .bytes = size + sizeof size)) die("the module does not load");
    SAY(t, function, .name = "add");
    SAY(t, variable, .name = "counter");
    for (uint32_t kind = 0; kind < HOST_MEMORY_REGISTERED; ++kind) SAY(t, alloc, .kind = kind, .bytes = BYTES);
    SAY(t, stream_create, .flags = 0);
    SAY(t, event_create, .flags = 0);
}

// Memory is asked for in pieces that this machine has.
static void bound(struct host_command *c, uint32_t op)
{
    if (op == HOST_OP_alloc) c->alloc.bytes %= BYTES_MOST;
    if (op == HOST_OP_pin) c->pin.bytes %= BYTES_MOST;
    if (op == HOST_OP_limit) c->op = 0;
}

static void command(struct talk *t, char *line)
{
    struct host_command c = {0};
    uint32_t word[WORDS] = {0}, n = 0, op = 0;
    char *rest = NULL, *token = strtok_r(line, " ", &rest);
    while (token && op < NAMES && strcmp(names[op], token) != 0) ++op;
    if (!token || op == NAMES || op == HOST_OP_hello) return;
    while (n + 2 < WORDS && (token = strtok_r(NULL, " ", &rest))) {
        uint64_t value = strtoull(token + (*token == '@'), NULL, 10);
        if (*token != '@') {
            word[n++] = (uint32_t)value;
            continue;
        }
        value = value && value <= t->answers ? t->answer[value - 1] : 0;
        memcpy(&word[n], &value, sizeof value);
        n += 2;
    }
    size_t at = offsetof(struct host_command, alloc);
    memcpy((char *)&c + at, word, sizeof word < sizeof c - at ? sizeof word : sizeof c - at);
    bound(&c, op);
    say(t, &c, op);
}

static void run(const uint8_t *data, size_t size)
{
    static unsigned char *area;
    char why[OBSERVATION_MESSAGE], *text = strndup((const char *)data, size), *rest = NULL;
    if (!area) area = calloc(1, HOST_DATA);
    struct host_trace *trace = calloc(1, sizeof *trace);
    if (!area || !text || !trace) die("out of memory");
    struct talk t = {.data = area};
    t.machine = devices_new(
        &(struct devices_options){.devices = 2, .threads = 1, .checks = 1, .deterministic = 1, .budget = BUDGET}, trace,
        why);
    if (!t.machine) die("%s", why);
    begin(&t);
    char *line = strtok_r(text, "\n", &rest);
    for (int i = 0; line && i < COMMANDS_MOST; ++i, line = strtok_r(NULL, "\n", &rest)) command(&t, line);
    devices_end(t.machine, 0, -1);
    if (host_trace_check(trace, why)) {
        fprintf(stderr, "%s\n", why);
        fuzz_failed("the judge refuses the record", data, size);
    }
    devices_free(t.machine);
    free(trace);
    free(text);
}

const struct fuzz_target fuzz_host = {"host", run, words};
