// Starts runner processes, and decides whether the kernel or the machine is at fault when a runner process ends early.
//
// No kernel should be able to end its runner process. The simulator stops a kernel that takes too long by an
// instruction budget and reports every other fault as an observation. When a runner process ends early all the same,
// there are two cases:
//
//   crash   The runner process ended by the signal of a crash, or printed that it met a bug (BUG() of base/die.h). This
//           is the grader's fault, and nothing is graded (exit code 2).
//   limit   The runner process used up its memory, left, or answered nonsense. The kernel is judged and does not pass,
//           because the baseline stays within the same limit.
//
// The judge never blames a kernel for the seconds that a launch takes, because the seconds depend on the machine. A
// launch that takes too long is stopped by its budget, which counts instructions, and the memory that their checks need
// to touch. If a runner process does not answer in time in spite of the budget, its processor seconds tell who is to
// blame: after BUSY_S of them, hundreds of times what a correct kernel needs, it has reached a limit. If it got fewer,
// the machine is too slow, and nothing is graded (exit code 2).
//
// If a kernel whose runner process reached a limit were left ungraded, a student could submit such a kernel to avoid a
// bad grade. The judge runs a student's image a second time if the image's first runner process ended early, within 20
// seconds (kernel/runs.c). If both runner processes of an image end early, the verdict's reason is "runner ended". No
// other fault has the reason "runner ended", so a teacher can recognise the early end of a runner process. The baseline
// (the lab's own slow kernels) runs in another runner process at the same time as the student's image. If a fault of
// the machine, and not the student's kernel, had ended the runner process, the baseline's runner process would also end
// early, and the grader would exit with code 2.
#include "judge/job/runner.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>

#include "base/die.h"
#include "base/gcov.h"
#include "base/message.h"
#include "base/text.h"
#include "base/utf8.h"
#include "judge/job/card_box.h"

// CARD_PATIENCE_S limits the time of one command to a runner process that uses a GPU, in seconds. A lab's kernel takes
// milliseconds on a GPU. A CUDA driver that compiles PTX for the first time takes seconds.
static const double CARD_PATIENCE_S = 15;
enum { SAID_MOST = 16 << 10 };

// The address space of a runner process that runs the simulator is limited to MEMORY_MOST bytes, plus MEMORY_THREAD
// bytes for each thread. When the grader grades a lab, a runner process uses less than a quarter of its address-space
// limit. Each thread of the simulator reserves addresses for its stack, its heap arena and its simulated blocks.
static const uint64_t MEMORY_MOST = UINT64_C(1536) << 20, MEMORY_THREAD = UINT64_C(128) << 20;
// PATIENCE_S limits the time of one command to a runner process that runs the simulator, in seconds. The simulator's
// instruction budget ends a launch long before the limit PATIENCE_S.
static const double PATIENCE_S = 120;
// PROCESSOR_S limits the processor time of such a process, in seconds, and so ends a kernel whose work no budget
// counts. It is the kernel that is refused then, because a slow or busy machine makes no processor time.
enum { PROCESSOR_S = 100 };
static const double BUSY_S = 60;

double judge_runner_patience(void)
{
    const char *wish = getenv("WARPWISE_PATIENCE");
    double slow = JUDGE_SANITIZED || GCOV_BUILD ? 10 : 1, factor = wish ? strtod(wish, NULL) : slow;
    return factor >= 1 && factor <= 1000 ? factor : slow;
}

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
    if (wire_client_make(&r->wire, card ? CARD_PATIENCE_S : PATIENCE_S * judge_runner_patience()))
        die("%s", r->wire.message);
    int fds[] = {r->wire.channel.memory, r->wire.channel.theirs};
    const char *const readable[] = {runner[0], NULL};
    struct box_spec spec = {.argv = runner,
                            .readable = readable,
                            .fds = fds,
                            .nfds = 2,
                            .output = SAID_MOST,
                            .cpu_s = card ? 0 : (unsigned)(PROCESSOR_S * judge_runner_patience()),
                            .address_space = card ? 0 : judge_runner_memory(job->threads),
                            .single = 1,
                            .bare = !card && !JUDGE_SANITIZED, // the static runner needs no system files
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

int judge_runner_crashed(const struct box *box)
{
    static const int crash[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
    static const char bug[] = "BUG in the grader at ";
    for (size_t i = 0; i < sizeof crash / sizeof *crash; ++i)
        if (box->end == BOX_SIGNALLED && box->code == crash[i]) return 1;
    return box->output.data && !strncmp(box->output.data, bug, sizeof bug - 1);
}

// Waits until a runner process that closed its channel has ended, so that its exit status is known. If the runner
// process has not ended after a second, kills it.
static void end_runner(struct judge_runner *r)
{
    for (int i = 0; r->wire.end == WIRE_DIED && i < 1000 && box_poll(&r->box); ++i) poll(NULL, 0, 1);
    box_kill(&r->box);
}

// Ends the runner process and returns the first line that it printed. A hostile kernel that took over the runner
// process may have printed the first line of the runner's output, so utf8_clean_line() removes control characters from
// the line. The text `line` owns the returned string.
static const char *last_words(struct judge_runner *r, struct text *line)
{
    end_runner(r);
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
    const char *said = last_words(r, &line);
    if (r->wire.end == WIRE_TIMEOUT && r->box.cpu_s < BUSY_S * judge_runner_patience()) judge_runner_broken(r, doing);
    if (judge_runner_crashed(&r->box))
        die("the simulator crashed while %s%s%s: this is the grader's fault, not the kernel's; nothing was graded",
            _(doing), *said ? _(", saying: ") : "", said);
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
