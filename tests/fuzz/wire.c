// Fuzz target of the judge's side of both borders: what a runner sends that was taken over. Whatever the shared memory
// holds, the client must return an answer, and what passes its checks can be counted, added up and shown as the judge
// does.
//
// An input is text with a word in each line: "o nfindings+8 4294967295" puts a word into the observation, eight bytes
// after the start of its field nfindings; r means the reply, s a host trace. All words are read together at the end.
#define _GNU_SOURCE
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/die.h"
#include "base/utf8.h"
#include "host/border/host_trace.h"
#include "judge/judge.h"
#include "wire/shared.h"

static const struct {
    char part;
    const char *name;
    size_t offset;
} fields[] = {
#define FIELD(part, type, field)                                                                                       \
    {                                                                                                                  \
        part, #field, offsetof(struct type, field)                                                                     \
    }
    FIELD('o', observation, status),
    FIELD('o', observation, bound),
    FIELD('o', observation, blocks),
    FIELD('o', observation, time_ps),
    FIELD('o', observation, counters),
    FIELD('o', observation, nlines),
    FIELD('o', observation, line),
    FIELD('o', observation, nfindings),
    FIELD('o', observation, finding),
    FIELD('o', observation, naccesses),
    FIELD('o', observation, access),
    FIELD('o', observation, coverage.nlines),
    FIELD('o', observation, coverage.line),
    FIELD('o', observation, coverage.nbranches),
    FIELD('o', observation, coverage.branch),
    FIELD('o', observation, coverage.nfunctions),
    FIELD('o', observation, coverage.function),
    FIELD('o', observation, print_bytes),
    FIELD('o', observation, print),
    FIELD('o', observation, message),
    FIELD('r', wire_reply, number),
    FIELD('r', wire_reply, result),
    FIELD('r', wire_reply, message),
    FIELD('r', wire_reply, device),
    FIELD('r', wire_reply, device.sms),
    FIELD('r', wire_reply, image.nkernels),
    FIELD('r', wire_reply, image.kernel),
    FIELD('r', wire_reply, health),
    FIELD('s', host_trace, build),
    FIELD('s', host_trace, devices),
    FIELD('s', host_trace, device),
    FIELD('s', host_trace, nkernels),
    FIELD('s', host_trace, kernel),
    FIELD('s', host_trace, nspans),
    FIELD('s', host_trace, span),
    FIELD('s', host_trace, nfindings),
    FIELD('s', host_trace, finding),
    FIELD('s', host_trace, nsources),
    FIELD('s', host_trace, source),
    FIELD('s', host_trace, nlines),
    FIELD('s', host_trace, line),
#undef FIELD
};

static const char *const words[] = {
    "o",
    "r",
    "s",
    "\n",
    "+4",
    "+8",
    "+12",
    "+16",
    "+24",
    "+32",
    "+40",
    "+48",
    "+64",
    "+96",
    "+120",
    "+160",
    "0",
    "1",
    "2",
    "3",
    "7",
    "16",
    "63",
    "64",
    "127",
    "255",
    "65535",
    "65536",
    "1000000",
    "2147483647",
    "2147483648",
    "4294967295",
    "1549556828",
    "2021161080",
    "status",
    "bound",
    "blocks",
    "time_ps",
    "nlines",
    "line",
    "nfindings",
    "finding",
    "naccesses",
    "access",
    "coverage.nlines",
    "coverage.line",
    "coverage.nbranches",
    "coverage.branch",
    "coverage.nfunctions",
    "coverage.function",
    "print_bytes",
    "print",
    "message",
    "number",
    "result",
    "device.sms",
    "image.nkernels",
    "image.kernel",
    "devices",
    "device",
    "nkernels",
    "kernel",
    "nspans",
    "span",
    "nsources",
    "source",
    NULL,
};

static struct wire_client client;
static struct host_trace *trace, *valid;
static const struct engine_launch asked = {
    .kernel = "scale", .grid = {4, 1, 1}, .block = {64, 1, 1}, .checks = CHECK_ALL};

static void begin(void)
{
    trace = calloc(1, sizeof *trace);
    valid = calloc(1, sizeof *valid);
    if (!trace || !valid || wire_client_make(&client, 1)) die("no memory to share");
    *valid = (struct host_trace){.build = HOST_TRACE_BUILD, .devices = 1};
}

// A line's word in its place.
static void put(const char *line)
{
    char part, name[32] = "";
    unsigned long long value;
    size_t more = 0, at = SIZE_MAX;
    if (sscanf(line, "%c %31[a-z_.] %llu", &part, name, &value) != 3 &&
        sscanf(line, "%c %31[a-z_.]+%zu %llu", &part, name, &more, &value) != 4)
        return;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        if (fields[i].part == part && !strcmp(fields[i].name, name)) at = fields[i].offset;
    struct wire_shared *s = client.shared;
    char *base = part == 'o' ? (char *)&s->observation : part == 'r' ? (char *)&s->reply : (char *)trace;
    size_t size = part == 'o' ? sizeof s->observation : part == 'r' ? sizeof s->reply : sizeof *trace;
    uint32_t word = (uint32_t)value;
    if (at == SIZE_MAX || more >= size || at + more > size - sizeof word) return;
    memcpy(base + at + more, &word, sizeof word);
}

static void put_all(const uint8_t *data, size_t size)
{
    char line[128];
    size_t n = 0;
    struct wire_shared *s = client.shared;
    memset(&s->reply, 0, sizeof s->reply);
    memset(&s->observation, 0, sizeof s->observation);
    memcpy(trace, valid, sizeof *trace);
    s->observation.blocks = asked.grid[0];
    s->reply.number = client.number + 1;
    s->reply.device.sms = 1;
    for (size_t i = 0; i <= size; ++i) {
        int end = i == size || data[i] == '\n';
        if (!end && n + 1 < sizeof line) line[n++] = (char)data[i];
        if (!end) continue;
        line[n] = '\0';
        put(line);
        n = 0;
    }
}

// The lie is told before the question: the doorbell's byte waits in the socket.
static void ring(void)
{
    char byte = '!';
    if (write(client.channel.theirs, &byte, 1) != 1) die("no doorbell");
}

static void hear(void)
{
    char byte;
    while (recv(client.channel.theirs, &byte, 1, MSG_DONTWAIT) == 1) continue;
    while (recv(client.channel.doorbell, &byte, 1, MSG_DONTWAIT) == 1) continue;
    client.end = WIRE_ALIVE;
}

static void shown(const char *text, size_t capacity, const uint8_t *data, size_t size)
{
    size_t length = strnlen(text, capacity);
    if (length == capacity) fuzz_failed("a text has no end", data, size);
    if (utf8_invalid(text, length) < length || memchr(text, 27, length))
        fuzz_failed("a text cannot be shown", data, size);
}

static void judge(struct observation *o, const uint8_t *data, size_t size)
{
    static struct coverage sum;
    static struct verdict_findings findings;
    memset(&findings, 0, sizeof findings);
    coverage_add(&sum, &o->coverage);
    for (uint32_t i = 0; i < o->nfindings; ++i) {
        struct verdict_finding v = {.finding = o->finding[i], .optimised = 1};
        shown(o->finding[i].text, sizeof o->finding[i].text, data, size);
        shown(o->finding[i].symbol, sizeof o->finding[i].symbol, data, size);
        verdict_findings_add(&findings, &v);
    }
    verdict_findings_reduce(&findings);
    verdict_findings_sort(&findings);
    shown(o->message, sizeof o->message, data, size);
}

static void run(const uint8_t *data, size_t size)
{
    static struct observation o;
    struct wire_device device;
    struct engine_image image;
    char why[OBSERVATION_MESSAGE];
    if (!trace) begin();
    put_all(data, size);
    ring();
    if (!wire_launch(&client, &asked, &o)) judge(&o, data, size);
    hear();
    put_all(data, size);
    ring();
    if (!wire_open(&client, &(struct engine_options){.threads = 1}, &device))
        shown(device.title, sizeof device.title, data, size);
    hear();
    put_all(data, size);
    ring();
    if (!wire_load(&client, "", 0, &image))
        for (uint32_t k = 0; k < image.nkernels; ++k)
            shown(image.kernel[k].name, sizeof image.kernel[k].name, data, size);
    hear();
    if (host_trace_check(trace, why)) return;
    for (uint32_t i = 0; i < trace->nfindings; ++i)
        shown(trace->finding[i].text, sizeof trace->finding[i].text, data, size);
}

const struct fuzz_target fuzz_wire = {"wire", run, words};
