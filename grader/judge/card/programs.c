// Measures the speed of a student's host program on real GPUs, in alternation with the baseline program, the lab's own
// slow version of the program.
//
// Theory of operation. The student's program and the baseline program each have their own runner process, which uses
// the GPUs on behalf of the program (host/border/iteration.h). The judge lets the student's program and the baseline
// program run timed iterations in turn, never at the same time (trials.h).
//
//   each iteration:  random words of the inputs change ─▶ the program allocates ─▶ inputs in its memory, outputs
//                    poisoned ─▶ GO: the judge's clock starts ─▶ all GPUs idle, the last byte of the outputs in the
//                    program's memory: the clock stops ─▶ outputs to the judge, which compares all of them
//
// The measurement prevents several tricks by which a student's program could appear faster than it is. Work before the
// timed part does not help a program, because it gets the inputs only when the timed part begins. Work after the timed
// part does not help a program, because the GPUs must be idle when the clock stops. Stored results do not help a
// program, because random words of the inputs differ in each iteration. In each iteration, all outputs must again pass
// through the kernel that the lab supplies (host/cards/cards.h). Output words that the lab allows host code to compute
// need not come from the kernel that the lab supplies.
//
// A program may behave differently when it detects a real GPU. The program's runner process follows all operations of
// the program, and stops the measurement at the first operation that it cannot follow. If the runner process stops the
// measurement, the simulated time of the program counts. A program that is measured on GPUs has already passed its test
// cases on the simulator. A program's host code must not compute a larger fraction of the outputs on GPUs than on
// simulated devices. A program gains nothing by slowing the baseline program down, because the baseline program was
// measured alone before. A GPU has three engines, two for copies and one for kernels. On each GPU, a program can
// therefore be at most three times as fast as a program that uses one engine (for copies or kernels) at a time.
//
// Each 32-bit word of the inputs is drawn from a set of WORDS random words. The judge computes the expected
// result of the lab's kernel once for each word of this set of WORDS random words. Computing the expected result
// separately for every word of the inputs would take too long.
#define _GNU_SOURCE
#include "judge/card/programs.h"
#include "host/border/host.h"
#include "host/border/host_io.h"
#include "host/border/iteration.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "judge/card/lock.h"
#include "judge/card/trials.h"
#include "judge/job/card_box.h"
#include "judge/job/judge_program.h"
#include "judge/job/runner.h"

enum { BASELINE = TRIALS_BASELINE, STUDENT = TRIALS_STUDENT, SIDES = TRIALS_SIDES };
enum { WORDS = 4096, CHANGES = 4096, THREADS = 4, SAID_MOST = 16 << 10, ALIGN = 4096 };
// Inputs and outputs together fill at most 1 / MEMORY_SHARE of a GPU's memory, and at most 1 / MEMORY_SHARE of the
// host's memory. ENGINES is the number of engines of a GPU: two for copies and one for kernels.
enum { MEMORY_SHARE = 16, ENGINES = 3 };
static const double OPEN_S = 60, ITERATION_S = 15, GRACE_S = 3, SLICE_S = 0.2; // limits in seconds
// limit of wall-clock time and of processor time of one measurement, in seconds
static const unsigned MEASURING_S = 300;
// see trials.slowed in trials.h; the times of copies vary less than the times of kernels
static const double SLOWED = 1.1;
static const double SLACK = 1.2; // tolerance of the bound that the number of engines gives
static const double SHARE_MORE = 1.25, SHARE_LEAST = 0.001;

struct program {
    struct box runner, host;
    struct host_client client;
    const char *path;
    int line, outputs;   // descriptors: connection to the runner; memory that the runner fills with outputs
    const uint32_t *got; // the outputs, mapped into the judge's memory
    // started: 1 after the program was started; idle: 1 while the program waits for an iteration
    int started, idle;
};
struct programs {
    const struct judge_job *job;
    const struct programs_spec *spec;
    struct program side[SIDES];
    struct measurement *out;
    struct prng random;
    struct trials trials;
    int io_memory; // descriptor of the I/O block's memory
    struct host_io *io;
    uint32_t *in, *want; // inputs and expected outputs, `count` words each; `in` points into the I/O block
    // word[]: the random words of which inputs consist; made[]: the result of the lab's kernel for each word in word[]
    uint32_t word[WORDS], made[WORDS];
    uint64_t count;
    uint64_t floor_ps; // least time that the GPUs' engines allow, in picoseconds
    uint32_t times;    // most measurements that are made
};

// --------------------------------------------------------------------------------------------- messages of the runners
static const char *const void_text[VOID_REASONS] = {
    [VOID_CARD] = N_("the card is not opened: %s"),
    [VOID_DRIVER] = N_("the card's driver says %s"),
    [VOID_COMMAND] = N_("the program asks for '%s', which is not measured on a card"),
    [VOID_MANAGED] = N_("the program has managed memory, whose copies nobody sees on a card"),
    [VOID_PAGEABLE] = N_("the program copies from or to pageable memory"),
    [VOID_ROWS] = N_("the program copies or fills memory in a form that is not followed on a card"),
    [VOID_KERNEL] = N_("the program has a kernel of its own, '%s', which is not run on a card"),
    [VOID_ARRAYS] = N_("a kernel reads or writes outside of its card's memory"),
    [VOID_LOCKED] = N_("the program's arrays are not page-locked"),
    [VOID_WAY] = N_("not all outputs came by copies of what the given kernel made of copied inputs"),
    [VOID_MANY] = N_("an iteration has too many operations"),
};
// Contains the messages about a program that ended before its last iteration. The array end_text is indexed by the way
// in which the program's sandbox ended (enum box_end). The index BOX_RUNNING means that the program closed its
// connection to its runner process but still runs.
static const char *const end_text[] = {
    [BOX_RUNNING] = N_("the program closed what connects it with the card"),
    [BOX_EXITED] = N_("on the card the program ended before its iterations were over (code %d)"),
    [BOX_SIGNALLED] = N_("on the card the program ended before its iterations were over (signal %d)"),
    [BOX_TIMEOUT] = N_("on the card the program's iterations take too long"),
    [BOX_FLOODED] = N_("on the card the program prints too much"),
    [BOX_CROWDED] = N_("on the card the program makes too many files in shared memory"),
};

static void say_void(struct programs *r, const struct iteration_message *m)
{
    char text[OBSERVATION_MESSAGE];
    message_print(text, sizeof text, void_text[m->why], m->text);
    r->out->end = MEASURE_UNRELIABLE;
    memcpy(r->out->message, text, sizeof text);
}

static void grant_end(struct box *box, double start)
{
    while (trials_now_s() - start < GRACE_S && box_poll(box)) usleep(1000);
}

// Ends the measurement because the runner process of program `p` has ended. A runner process exits with code 0 if its
// program has ended, and with an error code if the runner process itself has failed. Returns -1. Calls die() if `p` is
// the baseline program.
static int say_end(struct programs *r, struct program *p)
{
    char text[OBSERVATION_MESSAGE];
    double start = trials_now_s();
    grant_end(&p->runner, start);
    if (p->started) grant_end(&p->host, start);
    int late = p->host.end == BOX_SIGNALLED && p->host.code == SIGXCPU;
    if (p->runner.end != BOX_EXITED || p->runner.code)
        message_print(text, sizeof text, "the card's runner ended before the program's iterations were over");
    else
        message_print(text, sizeof text, end_text[late ? BOX_TIMEOUT : p->host.end], p->host.code);
    if (p == &r->side[BASELINE]) die("the baseline's speed is not known: %s", text);
    return trials_end(r->out, MEASURE_UNRELIABLE, text);
}

// Waits at most `patience_s` seconds for a message of the kind `word` from the program's runner process. Returns 0 with
// the message in *m, or -1 if the measurement has ended.
static int await(struct programs *r, struct program *p, enum iteration_word word, double patience_s,
                 struct iteration_message *m)
{
    double start = trials_now_s();
    for (;;) {
        int none = iteration_receive(p->line, m, SLICE_S, channel_tries());
        if (p->started) box_poll(&p->host);
        box_poll(&p->runner);
        if (!none && m->word == word) return 0;
        if (!none && m->word == ITERATION_VOID) {
            say_void(r, m);
            if (p == &r->side[BASELINE] && word != ITERATION_HERE)
                die("the baseline's speed is not known: %s", r->out->message);
            return -1;
        }
        if (none < 0) return say_end(r, p);
        if (trials_now_s() - start < patience_s) continue;
        if (p == &r->side[BASELINE]) die("the baseline's speed is not known: it did not end in time on the card");
        return trials_end(r->out, MEASURE_REFUSED, "it did not end in time on the card");
    }
}

static void say(const struct program *p, struct iteration_message m)
{
    iteration_send(p->line, &m); // errors are ignored here, because await() notices that a runner has ended
}

// ------------------------------------------------------------------------------------------------ starting the runners
static int make_memory(const char *name)
{
    int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (fd < 0) die("no memory for a program's arrays: %s", strerror(errno));
    return fd;
}

static void *size_memory(int fd, uint64_t bytes, int writable)
{
    if (ftruncate(fd, (off_t)bytes) || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW))
        die("no memory for a program's arrays: %s", strerror(errno));
    void *at = mmap(NULL, bytes, PROT_READ | (writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
    if (at == MAP_FAILED) die("no memory for a program's arrays: %s", strerror(errno));
    return at;
}

static void start_runner(struct programs *r, struct program *p)
{
    int pair[2];
    char devices[16];
    struct text why = {0};
    struct card_box cards;
    snprintf(devices, sizeof devices, "%u", r->job->lab->host->devices);
    const char *const argv[] = {r->job->card_runner[0], "--host", devices, r->job->card ? r->job->card : "", NULL};
    if (host_client_make(&p->client)) die("%s", p->client.message);
    if (iteration_connect(pair)) die("cannot make a line to the runner: %s", strerror(errno));
    int fds[] = {p->client.channel.memory, p->client.channel.theirs, pair[1], r->io_memory, p->outputs};
    struct box_spec spec = {.argv = argv,
                            .fds = fds,
                            .nfds = sizeof fds / sizeof *fds,
                            .output = SAID_MOST,
                            .single = 1,
                            .open = r->job->open};
    card_box_fill(&cards, &spec);
    if (box_start(&spec, &p->runner, &why)) die("cannot start the runner: %s", why.data ? why.data : "?");
    channel_started(&p->client.channel);
    close(pair[1]);
    p->line = pair[0];
}

// Returns how many 32-bit words the input contains when programs are measured on GPUs. Returns lab_host.card_words, the
// number of input words that the lab defines, or a smaller number if the memory of the GPU or of the host is scarce.
// `memory` is the size of the GPU's memory in bytes.
static uint64_t count_of(const struct programs *r, uint64_t memory)
{
    uint64_t machine = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    uint64_t most = (memory < machine ? memory : machine) / MEMORY_SHARE / (2 * HOST_IO_WORD);
    uint64_t wanted = r->job->lab->host->card_words;
    return wanted < most ? wanted : most;
}

static uint64_t aligned(uint64_t at)
{
    return (at + ALIGN - 1) / ALIGN * ALIGN;
}

// Makes the I/O block, the shared memory through which the runner processes get the input and the PTX of the lab's
// kernel. Also sets the size of the shared memory for the outputs of each program, and maps the shared memory.
static void make_io(struct programs *r)
{
    const struct text *image = r->spec->image;
    struct host_io e = {.build = HOST_IO_BUILD,
                        .nbuffers = 2,
                        .dim = {(uint32_t)r->count},
                        .host_ps = r->job->lab->host->host_ps,
                        .image = aligned(sizeof e),
                        .nimage = image->length};
    uint64_t bytes = r->count * HOST_IO_WORD;
    e.buffer[0] = (struct host_io_buffer){.at = aligned(e.image + e.nimage), .bytes = bytes};
    e.buffer[1] = (struct host_io_buffer){.at = 0, .bytes = bytes, .origin = 1};
    e.total = aligned(e.buffer[0].at + bytes);
    r->io = size_memory(r->io_memory, e.total, 1);
    // on newer systems, this seal forbids other processes to write to the I/O block
    fcntl(r->io_memory, F_ADD_SEALS, F_SEAL_FUTURE_WRITE);
    *r->io = e;
    memcpy((char *)r->io + e.image, image->data, image->length);
    r->in = (uint32_t *)((char *)r->io + e.buffer[0].at);
    r->want = alloc_bytes(bytes + 1);
    for (int s = 0; s < SIDES; ++s) r->side[s].got = size_memory(r->side[s].outputs, bytes + 1, 0);
}

static void draw(struct programs *r, uint64_t at)
{
    uint32_t k = prng_below(&r->random, WORDS);
    r->in[at] = r->word[k];
    r->want[at] = r->made[k];
}

static void fill(struct programs *r)
{
    for (int k = 0; k < WORDS; ++k) {
        r->word[k] = prng_u32(&r->random);
        r->made[k] = r->job->lab->host->map(r->word[k]);
    }
    for (uint64_t i = 0; i < r->count; ++i) draw(r, i);
}

// ------------------------------------------------------------------------------------------------ running an iteration
struct slice {
    const uint32_t *want, *got;
    uint64_t first, count;
    struct lab_comparison found;
};

static void *compare_slice(void *data)
{
    struct slice *s = data;
    if (!memcmp(s->got, s->want, s->count * sizeof *s->got)) return NULL;
    for (uint64_t i = 0; i < s->count; ++i) {
        if (s->got[i] == s->want[i]) continue;
        if (s->found.shown < LAB_MISMATCHES)
            s->found.mismatch[s->found.shown++] =
                (struct lab_mismatch){.index = s->first + i, .got = s->got[i], .expected = s->want[i]};
        ++s->found.wrong;
    }
    return NULL;
}

static int compare(struct programs *r, const struct program *p)
{
    pthread_t thread[THREADS];
    struct slice slice[THREADS];
    struct lab_comparison all = {0};
    for (uint64_t i = 0; i < THREADS; ++i) {
        uint64_t first = r->count * i / THREADS, last = r->count * (i + 1) / THREADS;
        slice[i] =
            (struct slice){.want = r->want + first, .got = p->got + first, .first = first, .count = last - first};
        if (pthread_create(&thread[i], NULL, compare_slice, &slice[i])) die("cannot start a thread");
    }
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(thread[i], NULL);
        all.wrong += slice[i].found.wrong;
        for (uint32_t k = 0; k < slice[i].found.shown && all.shown < LAB_MISMATCHES; ++k)
            all.mismatch[all.shown++] = slice[i].found.mismatch[k];
    }
    if (!all.wrong) return 0;
    if (p == &r->side[BASELINE]) die("the baseline's speed is not known: its outputs are wrong on the card");
    r->out->comparison = all;
    r->out->buffer = 1;
    return trials_end(r->out, MEASURE_WRONG, "an output that was timed is wrong");
}

static int await_idle(struct programs *r, struct program *p)
{
    struct iteration_message m;
    if (!p->started || p->idle) return 0;
    if (await(r, p, ITERATION_IDLE, ITERATION_S, &m)) return -1;
    p->idle = 1;
    return 0;
}

// Returns 1 if the program's host code computed a larger fraction of the outputs on the GPU than on simulated devices,
// else 0.
static int is_more(const struct programs *r, const struct program *p, uint64_t host_words)
{
    double share = p == &r->side[STUDENT] ? r->spec->share : 0;
    return (double)host_words > (SHARE_MORE * share + SHARE_LEAST) * (double)r->count;
}

static int iterate(void *self, int which, uint64_t *time_ps)
{
    struct programs *r = self;
    struct program *p = &r->side[which];
    struct iteration_message m;
    if (!p->started) {
        judge_program_start(r->job, &p->client, p->path, MEASURING_S * r->times, MEASURING_S * r->times, &p->host);
        p->started = 1;
    }
    for (int s = 0; s < SIDES; ++s)
        if (await_idle(r, &r->side[s])) return -1;
    for (int i = 0; i < CHANGES && r->count; ++i) draw(r, prng_below(&r->random, (uint32_t)r->count));
    p->idle = 0;
    say(p, (struct iteration_message){.word = ITERATION_NEXT, .poison = prng_u32(&r->random)});
    if (await(r, p, ITERATION_READY, ITERATION_S, &m)) return -1;
    double start = trials_now_s();
    say(p, (struct iteration_message){.word = ITERATION_GO});
    if (await(r, p, ITERATION_DONE, ITERATION_S, &m)) return -1;
    *time_ps = (uint64_t)((trials_now_s() - start) * 1e12);
    if (await(r, p, ITERATION_GIVEN, ITERATION_S, &m) || compare(r, p)) return -1;
    if (is_more(r, p, m.host_words))
        return trials_end(r->out, MEASURE_UNRELIABLE, "the host's own share is larger than on simulated devices");
    if (which == STUDENT && *time_ps < r->floor_ps)
        return trials_end(r->out, MEASURE_UNRELIABLE, "the time is below what the card's engines can do");
    return 0;
}

static void health(void *self, struct engine_health *h)
{
    struct programs *r = self;
    struct program *p = &r->side[BASELINE];
    struct iteration_message m;
    if (await_idle(r, p)) return;
    say(p, (struct iteration_message){.word = ITERATION_ASK});
    if (!await(r, p, ITERATION_HEALTH, ITERATION_S, &m)) *h = m.health;
}

// ----------------------------------------------------------------------------------------------- the whole measurement
static void measure(struct programs *r, uint32_t times)
{
    const struct judge_job *job = r->job;
    struct trials *b = &r->trials;
    *b = (struct trials){.self = r,
                         .iterate = iterate,
                         .health = health,
                         .minimum = job->card_threshold.minimum,
                         .slowed = SLOWED,
                         .random = &r->random,
                         .out = r->out};
    make_io(r);
    fill(r);
    if (trials_alone(b)) return;
    r->floor_ps = (uint64_t)((double)b->alone_ps / (ENGINES * SLACK * job->lab->host->devices));
    if (trials_warm(b)) return;
    trials_decide(b);
    while (r->out->end == MEASURE_DONE && --times) {
        r->out[1].card = r->out->card;
        b->out = ++r->out;
        trials_decide(b);
    }
}

static void open_sides(struct programs *r, uint32_t times)
{
    uint32_t devices = r->job->lab->host->devices;
    struct iteration_message here[SIDES];
    for (int s = 0; s < SIDES; ++s) start_runner(r, &r->side[s]);
    for (int s = 0; s < SIDES; ++s)
        if (await(r, &r->side[s], ITERATION_HERE, OPEN_S, &here[s])) return;
    r->out->card = here[0].device;
    if (r->job->card_title && strcmp(r->job->card_title, r->out->card.title) != 0)
        die("the thresholds were calibrated for %s, and the card is %s: run './grade calibrate'", r->job->card_title,
            r->out->card.title);
    if (here[0].cards < devices) {
        r->out->end = MEASURE_UNRELIABLE;
        message_print(r->out->message, sizeof r->out->message, "the lab takes %u cards, and this machine has %u",
                      devices, here[0].cards);
        return;
    }
    r->count = count_of(r, here[0].memory_bytes);
    measure(r, times);
}

static void end_side(struct program *p)
{
    double start = trials_now_s();
    say(p, (struct iteration_message){.word = ITERATION_OVER});
    if (p->started) grant_end(&p->host, start);
    close(p->line);
    if (p->started) {
        box_kill(&p->host);
        box_free(&p->host);
    } else {
        host_client_free(&p->client);
    }
    grant_end(&p->runner, start);
    box_kill(&p->runner);
    box_free(&p->runner);
    close(p->outputs);
}

void programs_measure(const struct judge_job *job, const struct programs_spec *spec, struct measurement *out,
                      uint32_t times)
{
    struct programs *r = alloc_zeroed(1, sizeof *r);
    memset(out, 0, times * sizeof *out);
    *r = (struct programs){
        .job = job, .spec = spec, .out = out, .times = times, .random = prng_stream(job->seed, "rounds")};
    r->side[BASELINE].path = spec->baseline;
    r->side[STUDENT].path = spec->student;
    r->io_memory = make_memory("warpwise-io");
    for (int s = 0; s < SIDES; ++s) r->side[s].outputs = make_memory("warpwise-outputs");
    int lock = card_lock_take(job->card);
    open_sides(r, times);
    for (int s = 0; s < SIDES; ++s) end_side(&r->side[s]);
    card_lock_release(lock);
    if (r->io) munmap(r->io, r->io->total);
    for (int s = 0; s < SIDES; ++s)
        if (r->side[s].got) munmap((void *)(uintptr_t)r->side[s].got, r->count * HOST_IO_WORD + 1);
    close(r->io_memory);
    free(r->want);
    free(r);
}
