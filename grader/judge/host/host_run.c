// Runs the program of a host lab for one test case.
//
// Theory of operation. A run of a host program has three processes: the judge, the host process and the runner process.
// The host process and the runner process each run in a sandbox. The judge shares the I/O block and the host trace with
// the runner process. The runner process shares the memory and the sockets of a channel (wire/channel.h) with the host
// process.
//
//   judge ── I/O block (inputs, lab's kernel; outputs with their origins) ──┐
//     │  ◀── host trace ──────────────────────────────────────────────── runner
//     └─ host (the student's program + libcudart) ◀── memory, doorbell ─────┘
//
// The host process runs the student's program, so it is treated as hostile. The judge and the runner process share the
// I/O block (host/border/host_io.h), which holds the inputs and outputs of the test case. The host process can access
// neither the I/O block nor the runner's trace of the run. The judge uses what the host process prints only as text in
// reports. The runner process gives the inputs to the program when the program's timed part begins. The runner process
// takes the outputs from the program when the program's timed part ends. A program that does not reach the end of its
// timed part has delivered no outputs.
#define _GNU_SOURCE
#include "judge/host/host_run.h"
#include "host/border/host.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/hash.h"
#include "base/memory.h"
#include "base/message.h"
#include "base/text.h"
#include "judge/job/judge_program.h"
#include "judge/job/runner.h"

// Four limits end a program that would never end, and none of them depends on how busy the machine is. PROCESSOR_S
// limits the processor seconds of the program; a correct program needs a hundredth of that. SLEEP_S limits the seconds
// in which the program and its devices both sleep, because the program waits for something that does not come. BUDGET
// limits the warp instructions of all launches of the program together; the launch that exceeds it is stopped with a
// finding. Other work of the devices is charged to BUDGET, too, as far as it is known; devices.c limits the processor
// seconds of the devices.
//
// A program that reaches none of these limits within PATIENCE_S seconds of the wall clock got too little of the
// processor: that is the machine's fault, and nothing is graded. But a program that used BUSY_S seconds of the
// processor by then, hundreds of times what a correct program needs, would not have ended on an idle machine either.
enum { PROCESSOR_S = 5, OPTIONS = 16 };
static const double SLEEP_S = 4, PATIENCE_S = 120, BUSY_S = 5;
// A launch of the speed case executes about SAMPLE warp instructions.
static const uint64_t SAMPLE = 1 << 19, BUDGET = 64 << 20;

// ------------------------------------------------------------------------------------------------------- the I/O block
static uint64_t aligned(uint64_t at)
{
    return (at + 63) / 64 * 64;
}

static void lay_out(const struct host_run *s, const struct text *image, struct host_io *e)
{
    const struct lab_plan *p = &s->plan;
    BUG_ON(p->nbuffers > HOST_IO_BUFFERS);
    *e = (struct host_io){.build = HOST_IO_BUILD,
                          .nbuffers = p->nbuffers,
                          .host_ps = s->job->lab->host->host_ps,
                          .image = aligned(sizeof *e),
                          .nimage = image->length};
    memcpy(e->dim, p->dim, sizeof e->dim);
    uint64_t at = aligned(e->image + e->nimage);
    for (uint32_t b = 0; b < p->nbuffers; ++b) {
        uint64_t bytes = p->buffer[b].count * HOST_IO_WORD;
        e->buffer[b] = (struct host_io_buffer){.at = at, .bytes = bytes};
        at = aligned(at + bytes);
        if (p->buffer[b].role == LAB_INPUT) continue;
        e->buffer[b].origin = at;
        at = aligned(at + p->buffer[b].count + 1);
    }
    e->total = at;
}

// Creates sealed shared memory that contains the I/O block, with the inputs and the lab's kernel. Returns the
// descriptor of the shared memory, which the caller closes.
static int make_io(const struct host_run *s, const struct text *image)
{
    struct host_io e;
    lay_out(s, image, &e);
    int fd = memory_make_shared("warpwise-io", e.total);
    char *at = fd < 0 ? MAP_FAILED : mmap(NULL, e.total, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) die("no memory for a program's inputs: %s", strerror(errno));
    memcpy(at, &e, sizeof e);
    memcpy(at + e.image, image->data, e.nimage);
    for (uint32_t b = 0; b < e.nbuffers; ++b)
        if (!e.buffer[b].origin && e.buffer[b].bytes)
            memcpy(at + e.buffer[b].at, s->plan.buffer[b].data, e.buffer[b].bytes);
    munmap(at, e.total);
    return fd;
}

// Copies the I/O block (host/border/host_io.h), the shared memory with inputs and outputs, after the runner process has
// changed it. The runner process may change only its own header fields, the output words, and the bytes that say where
// each output word came from. In the judge's copy of the I/O block, take_io() therefore replaces the header fields that
// only the judge may write by newly computed values.
static void take_io(struct host_run *s, int fd, const struct text *image)
{
    struct host_io mine;
    lay_out(s, image, &mine);
    void *at = mmap(NULL, mine.total, PROT_READ, MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) alloc_failed(mine.total);
    s->io = alloc_copy(at, mine.total);
    munmap(at, mine.total);
    struct host_io theirs = *s->io;
    mine.begun = theirs.begun != 0;
    mine.ended = theirs.begun && theirs.ended;
    mine.begin_ps = theirs.begin_ps;
    mine.end_ps = theirs.end_ps;
    mine.mapped_bytes = theirs.mapped_bytes;
    memcpy(mine.device_words, theirs.device_words, sizeof mine.device_words);
    mine.host_words = theirs.host_words;
    // if the end is before the begin, the program has taken over its runner
    mine.ended &= mine.end_ps >= mine.begin_ps;
    *s->io = mine;
}

// ----------------------------------------------------------------------------------- starting and ending the processes
static void start_machine(struct host_run *s, struct host_client *client, int memory)
{
    char devices[16], threads[16], sample[24], budget[24];
    const char *option[OPTIONS] = {"--check", "--deterministic", "--devices", devices, "--budget", budget};
    unsigned count = 6;
    struct text why = {0};
    snprintf(devices, sizeof devices, "%u", s->job->lab->host->devices);
    snprintf(threads, sizeof threads, "%u", s->job->threads);
    snprintf(sample, sizeof sample, "%" PRIu64, SAMPLE);
    snprintf(budget, sizeof budget, "%" PRIu64, BUDGET);
    if (s->job->device) option[count++] = "--device", option[count++] = s->job->device;
    if (s->job->threads) option[count++] = "--threads", option[count++] = threads;
    if (s->which->flags & CASE_SPEED) option[count++] = "--sample", option[count++] = sample;
    if (device_runner_start(&s->devices, s->job->runner[0], option, client->channel.memory, client->channel.theirs,
                            memory, s->job->open, &why))
        die("cannot start the runner: %s", why.data);
    channel_started(&client->channel);
}

// Returns 1 if a kernel of the program exceeded its instruction budget, else 0.
static int is_too_long(const struct host_trace *r)
{
    for (uint32_t i = 0; i < r->nfindings; ++i)
        if (!r->finding[i].defect && r->finding[i].finding.kind == FINDING_too_long) return 1;
    return 0;
}

static int is_ended_by(const struct box *host, int signal)
{
    return host->end == BOX_SIGNALLED && host->code == signal;
}

// Ends the grader if the program did not end in time because the machine is too busy.
static void check_machine(const struct host_run *s)
{
    const struct box *host = &s->host, *runner = &s->devices.runner;
    if (host->end != BOX_TIMEOUT && runner->end != BOX_TIMEOUT) return;
    if (host->cpu_s + host->asleep_s + runner->cpu_s >= BUSY_S * judge_runner_patience()) return;
    die("a program and its simulated devices did not end within %.0f seconds: the machine is too busy; nothing was "
        "graded",
        PATIENCE_S);
}

// Sets the result and the message of a run in which the program did not reach its end. Sets run->last if later test
// cases are not worth running.
static void see_end(struct host_run *s)
{
    const struct host_trace *r = s->devices.trace;
    const struct box *host = &s->host;
    if (judge_runner_crashed(&s->devices.runner))
        die("the simulator crashed: this is the grader's fault, not the program's; nothing was graded (%s)",
            s->devices.message);
    check_machine(s);
    // SIGKILL has two possible causes: too much memory, or too much processor time of a program that caught SIGXCPU
    if (host->end == BOX_TIMEOUT || host->end == BOX_ASLEEP || host->end == BOX_CROWDED || is_ended_by(host, SIGXCPU) ||
        is_ended_by(host, SIGKILL) || is_too_long(r) || r->exhausted)
        s->last = N_("not run, because the program did not end in a case before");
    else if (s->devices.message[0])
        s->last = N_("not run, because the program ended the simulator in a case before");
    if (!s->devices.message[0] && host->end == BOX_EXITED && !host->code && s->io->ended) return;
    s->result = CASE_STOPPED;
    if (s->devices.message[0])
        message_print(s->message, sizeof s->message, "the program ended the simulator: %s", s->devices.message);
    else if (host->end == BOX_TIMEOUT)
        message_print(s->message, sizeof s->message, "the program did not end within %.0f seconds", PATIENCE_S);
    else if (r->exhausted && !is_too_long(r))
        message_print(s->message, sizeof s->message,
                      "the program's calls gave its devices too much work, and the devices were stopped");
    else if (r->error)
        message_print(s->message, sizeof s->message, "a kernel failed, and with it every later call (error %u)%s%s",
                      r->error, r->message[0] ? ": " : "", r->message);
    else if (is_ended_by(host, SIGXCPU))
        message_print(s->message, sizeof s->message, "the program took more than %d seconds of the processor",
                      PROCESSOR_S);
    else if (host->end == BOX_SIGNALLED)
        message_print(s->message, sizeof s->message, "the program was ended by signal %d (%s)", host->code,
                      strsignal(host->code));
    else if (host->end == BOX_ASLEEP)
        message_print(s->message, sizeof s->message,
                      "the program waited for %.0f seconds for something that did not come", host->asleep_s);
    else if (host->end == BOX_CROWDED)
        message_print(s->message, sizeof s->message, "the program made more than %d files in shared memory",
                      BOX_SHARED_FILES);
    else if (host->end == BOX_FLOODED)
        message_print(s->message, sizeof s->message, "the program printed more than %d bytes", JUDGE_PROGRAM_PRINT);
    else
        message_print(s->message, sizeof s->message, "the program ended with code %d%s", host->code,
                      s->io->ended ? "" : _(" before its outputs were handed in"));
}

void host_run_start(struct host_run *s, const struct judge_job *job, const struct lab_case *which, const char *path,
                    const struct text *image)
{
    struct host_client client;
    *s = (struct host_run){.job = job, .which = which, .result = CASE_RIGHT};
    struct stopwatch_lap lap = stopwatch_begin(0);
    s->plan = (struct lab_plan){.lab = job->lab, .which = which, .dim = which->dim, .arena = &s->arena};
    job->lab->plan(&s->plan);
    struct prng random = prng_stream(job->seed, which->name);
    job->lab->fill(&s->plan, &random);
    int memory = make_io(s, image);
    if (host_client_make(&client)) die("%s", client.message);
    start_machine(s, &client, memory);
    double factor = judge_runner_patience();
    judge_program_start(job, &client, path, PATIENCE_S * factor, (unsigned)(PROCESSOR_S * factor), &s->host);
    box_wait_awake(&s->host, &s->devices.runner, SLEEP_S);
    device_runner_end(&s->devices, PATIENCE_S * factor);
    // use an empty trace, because devices.trace is never NULL after the run
    if (!s->devices.trace) s->devices.trace = alloc_zeroed(1, sizeof *s->devices.trace);
    take_io(s, memory, image);
    close(memory);
    see_end(s);
    char part[64];
    snprintf(part, sizeof part, "case %s", which->name);
    stopwatch_end(job->timing, &lap, (uint64_t)((s->host.cpu_s + s->devices.runner.cpu_s) * 1e9), part, NULL);
}

void host_run_free(struct host_run *s)
{
    device_runner_free(&s->devices);
    box_free(&s->host);
    free(s->io);
    arena_free(&s->arena);
    s->io = NULL;
}

// ------------------------------------------------------------------------------------------------------------- outputs
static const unsigned char *origins(const struct host_run *s, uint32_t b)
{
    return (const unsigned char *)s->io + s->io->buffer[b].origin;
}

static uint32_t *words(const struct host_run *s, uint32_t b)
{
    return (uint32_t *)((char *)s->io + s->io->buffer[b].at);
}

static int counts(unsigned char origin)
{
    return origin == ORIGIN_KERNEL || origin == ORIGIN_HOST;
}

// Counts the words of an output buffer that the judge does not accept.
struct unaccepted {
    uint64_t count[HOST_IO_ORIGINS];
    uint64_t own;   // words that hold the expected value although no device computed them
    uint64_t first; // index of the first word of origin ORIGIN_PROGRAM
};

static struct unaccepted count_unaccepted(const struct host_run *s, uint32_t b)
{
    const struct lab_buffer *out = &s->plan.buffer[b];
    struct unaccepted u = {0};
    for (uint64_t i = 0; i < out->count; ++i) {
        enum host_io_origin from = (enum host_io_origin)(origins(s, b)[i] % HOST_IO_ORIGINS);
        if (counts((unsigned char)from)) continue;
        if (from == ORIGIN_PROGRAM && !u.count[from]) u.first = i;
        u.own += from == ORIGIN_PROGRAM && out->expected && out->expected[i] == (double)words(s, b)[i];
        ++u.count[from];
    }
    return u;
}

// Stores in run->message that nobody computed some words of output buffer `b`. If only some words are missing, the
// cause is nearly always that the program divides the work into equal parts and leaves out the remainder.
static void say_left_out(struct host_run *s, uint32_t b, const struct unaccepted *u)
{
    const struct lab_buffer *out = &s->plan.buffer[b];
    uint64_t count = u->count[ORIGIN_PROGRAM];
    if (count < out->count || out->count == 1)
        message_print(s->message, sizeof s->message,
                      "nobody computed %" PRIu64 " of %" PRIu64 " elements of '%s', the first is %s[%" PRIu64
                      "]: if you divide the work, one part must take the remainder",
                      count, out->count, out->name, out->name, u->first);
    else
        message_print(s->message, sizeof s->message,
                      "nobody computed any of the %" PRIu64 " elements of '%s': no copy brought a result to the host",
                      out->count, out->name);
}

// Stores in run->message why the judge does not accept words of output buffer `b`, for example because no copy from a
// device brought them. If the judge does not accept words of the buffer for several reasons, stores the reason that
// applies to the most words.
static void say_origins(struct host_run *s, uint32_t b, const struct unaccepted *u)
{
    static const char *const reason[HOST_IO_ORIGINS] = {
        [ORIGIN_PROGRAM] = N_("were brought by no copy from a device: the host's own writing does not count"),
        [ORIGIN_COPY] = N_("were brought by a copy, but it was not the given kernel that had written them"),
        [ORIGIN_LATE] = N_("were brought by a copy that nobody had waited for"),
    };
    uint64_t all = s->plan.buffer[b].count;
    enum host_io_origin most = ORIGIN_PROGRAM;
    for (int o = 0; o < HOST_IO_ORIGINS; ++o)
        if (u->count[o] > u->count[most]) most = (enum host_io_origin)o;
    if (!u->count[most]) return;
    int is_hidden = (s->which->flags & CASE_HIDDEN) != 0;
    if (most == ORIGIN_PROGRAM && 2 * u->own < u->count[most] && !is_hidden)
        say_left_out(s, b, u);
    else if (is_hidden)
        message_print(s->message, sizeof s->message, "elements of '%s' %s", s->plan.buffer[b].name, _(reason[most]));
    else
        message_print(s->message, sizeof s->message, "%" PRIu64 " of %" PRIu64 " elements of '%s' %s", u->count[most],
                      all, s->plan.buffer[b].name, _(reason[most]));
}

// Returns the poison value, which replaces each output word that the judge does not accept. The poison value is a NaN
// as a float and an unlikely number as an integer. The poison value depends on the grading's seed and the test case.
static uint32_t poison_of(const struct host_run *s)
{
    char name[128];
    snprintf(name, sizeof name, "poison of %s", s->which->name);
    struct prng random = prng_stream(s->job->seed, name);
    return prng_u32(&random) | 0x7fc00000;
}

enum case_result host_run_compare(struct host_run *s, struct lab_comparison *comparison, int *buffer, uint64_t *hash)
{
    uint32_t poison = poison_of(s);
    s->job->lab->expect(&s->plan);
    *buffer = -1;
    for (uint32_t b = 0; b < s->plan.nbuffers && *buffer < 0; ++b) {
        const struct lab_buffer *out = &s->plan.buffer[b];
        if (out->role == LAB_INPUT) continue;
        struct unaccepted unaccepted = count_unaccepted(s, b);
        uint32_t *before = alloc_array(out->count + 1, sizeof *before);
        for (uint64_t i = 0; i < out->count; ++i) {
            before[i] = poison;
            if (!counts(origins(s, b)[i])) words(s, b)[i] = poison;
        }
        *hash = hash_bytes(words(s, b), out->count * sizeof *before, *hash);
        *comparison = lab_compare(out, words(s, b), before);
        free(before);
        if (!comparison->wrong) continue;
        *buffer = (int)b;
        say_origins(s, b, &unaccepted);
    }
    return *buffer < 0 ? CASE_RIGHT : CASE_WRONG;
}

int host_run_complete(struct host_run *s)
{
    const struct lab_host *host = s->job->lab->host;
    const uint32_t *in = s->plan.buffer[0].u32;
    for (uint32_t b = 0; b < s->plan.nbuffers; ++b) {
        if (s->plan.buffer[b].role == LAB_INPUT) continue;
        for (uint64_t i = 0; i < s->plan.buffer[b].count; ++i) {
            uint32_t got = words(s, b)[i];
            int sampled = origins(s, b)[i] == ORIGIN_KERNEL; // blocks that were not executed hold their inputs
            if (counts(origins(s, b)[i]) && ((sampled && got == in[i]) || got == host->map(in[i]))) continue;
            struct unaccepted unaccepted = count_unaccepted(s, b);
            say_origins(s, b, &unaccepted);
            if (!s->message[0])
                message_print(s->message, sizeof s->message,
                              "an element of '%s' is not what the kernel makes of its input", s->plan.buffer[b].name);
            return -1;
        }
    }
    return 0;
}
