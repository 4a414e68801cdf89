// Starts runners, and decides who is at fault when a runner breaks.
//
// An engine ends a student's endless loop by its instruction budget and reports every other fault as an observation, so
// no kernel should be able to end a runner. A kernel that still ends one (by a defect of the simulator, or by using up
// the memory or processor time of a runner) is judged. If it were left ungraded, a student without a solution could
// submit such a kernel.
//
// A runner with a student's image is therefore started twice. If both end early, the verdict is "runner ended", which a
// teacher can tell from all others. The baseline runs at the same time. If the machine were at fault, the baseline
// would end as well, and the grader exits with 2. The grader also exits with 2 when a runner got no processor time.
#include "judge/job/runner.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "base/die.h"
#include "base/gcov.h"
#include "base/message.h"
#include "base/utf8.h"
#include "judge/job/card_box.h"

// Processor seconds of a simulator's runner, for all its commands and threads together. The limit is reached before
// PATIENCE_S unless the machine is overloaded. A lab's grading needs two seconds; the slowest correct kernel of the
// tests needs thirty on an idle machine.
enum { PROCESSOR_S = 100 };
// Seconds for one command on a card. A lab's kernel takes milliseconds; a driver that compiles PTX for the first time
// takes seconds.
static const double CARD_PATIENCE_S = 15;
enum { SAID_MOST = 16 << 10 };

// Address space of the simulator. A lab's grading needs less than a quarter of it. Each thread reserves some for its
// stack, its heap arena and its own blocks.
static const uint64_t MEMORY_MOST = UINT64_C(1536) << 20, MEMORY_THREAD = UINT64_C(128) << 20;
static const double PATIENCE_S = 120 * JUDGE_SLOW; // for one command; the engine's budget ends a launch long before

uint64_t judge_runner_memory(uint32_t threads)
{
    if (JUDGE_SANITIZED) return 0;
    return MEMORY_MOST + (threads ? threads : (uint32_t)get_nprocs()) * MEMORY_THREAD;
}

int judge_runner_try(struct judge_runner *r, const struct judge_job *job, int card)
{
    struct text why = {0};
    struct card_box cards;
    const char *const *runner = card ? job->card_runner : job->runner;
    memset(r, 0, sizeof *r);
    if (wire_client_make(&r->wire, card ? CARD_PATIENCE_S : PATIENCE_S)) die("%s", r->wire.message);
    int fds[] = {r->wire.channel.memory, r->wire.channel.theirs};
    const char *const readable[] = {runner[0], NULL};
    struct box_spec spec = {.argv = runner,
                            .readable = readable,
                            .fds = fds,
                            .nfds = 2,
                            .output = SAID_MOST,
                            .address_space = card ? 0 : judge_runner_memory(job->threads),
                            .cpu_s = card ? 0 : PROCESSOR_S * JUDGE_SLOW,
                            .single = 1,
                            .bare = !card && !JUDGE_SANITIZED, // linked statically, the runner needs no system files
                            .open = job->open};
    if (card) card_box_fill(&cards, &spec);
    if (box_start(&spec, &r->box, &why)) die("cannot start the runner: %s", why.data ? why.data : "?");
    r->level = r->box.level;
    channel_started(&r->wire.channel);
    struct engine_options options = {.device = card ? job->card : job->device, .threads = job->threads};
    int answer = wire_open(&r->wire, &options, &r->device);
    if (answer == WIRE_BROKEN) judge_runner_broken(r, "it started");
    return answer ? -1 : 0;
}

void judge_runner_start(struct judge_runner *r, const struct judge_job *job, int card)
{
    if (judge_runner_try(r, job, card)) die("%s", r->wire.message);
}

void judge_runner_stop(struct judge_runner *r)
{
    if (!r->wire.shared) return;
    if (r->wire.end == WIRE_ALIVE) wire_close(&r->wire);
    for (int i = 0; GCOV_BUILD && i < 2000 && box_poll(&r->box); ++i) poll(NULL, 0, 1);
    box_free(&r->box);
    wire_client_free(&r->wire);
}

// Returns the first line that the runner printed. A kernel that took over the runner may have written it.
static const char *last_words(struct judge_runner *r, struct text *line)
{
    box_kill(&r->box);
    const char *output = r->box.output.data ? r->box.output.data : "";
    char told[OBSERVATION_MESSAGE];
    snprintf(told, sizeof told, "%.*s", (int)strcspn(output, "\n"), output);
    message_unmarshal(told, sizeof told, told);
    utf8_clean_line(line, told, strlen(told));
    return line->data ? line->data : "";
}

void judge_runner_lost(struct judge_runner *r, const char *doing, char sentence[OBSERVATION_MESSAGE])
{
    struct text line = {0};
    if (r->wire.end == WIRE_TIMEOUT) judge_runner_broken(r, doing);
    const char *said = last_words(r, &line);
    message_print(sentence, OBSERVATION_MESSAGE,
                  "the simulator was ended by this kernel, twice, and judges no such kernel%s%s", *said ? ": " : "",
                  said);
    text_free(&line);
}

void judge_runner_broken(struct judge_runner *r, const char *doing)
{
    enum wire_end end = r->wire.end;
    struct text line = {0};
    const char *said = last_words(r, &line);
    switch (end) {
    case WIRE_TIMEOUT:
        die("%s while %s: this machine is too slow or too busy, or the grader is at fault; nothing was graded",
            r->wire.message, _(doing));
    case WIRE_NONSENSE:
        die("%s (while %s): the grader is at fault, or the kernel attacked it; nothing was graded", r->wire.message,
            _(doing));
    case WIRE_ALIVE:
    case WIRE_DIED:
        break;
    }
    die("the runner died while %s%s%s: this is the grader's fault, not the kernel's; nothing was graded", _(doing),
        *said ? _(", saying: ") : "", said);
}
