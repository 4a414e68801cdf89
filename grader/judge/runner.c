// Starting a runner, and what it means when one breaks. An engine ends a student's endless loop by its budget of
// instructions and reports every other fault as an observation. So a runner that crashes, hangs or talks nonsense is
// never graded as the student's fault: it is the machine's or ours, and nothing is graded.
#include "judge/runner.h"

#include <poll.h>
#include <string.h>

#include "base/die.h"

static const double PATIENCE_S = 120; // for one command; an engine's budget ends a launch long before
enum { SAID_MOST = 16 << 10 };

// Address space that the simulator may take: a lab's grading needs less than a quarter. A sanitizer reserves terabytes.
#if defined(__SANITIZE_ADDRESS__)
static const uint64_t MEMORY_MOST = 0;
#else
static const uint64_t MEMORY_MOST = UINT64_C(6) << 30;
#endif

void judge_runner_start(struct judge_runner *r, const struct judge_job *job)
{
    struct text why = {0};
    memset(r, 0, sizeof *r);
    if (wire_client_make(&r->wire, PATIENCE_S)) die("%s", r->wire.message);
    int fds[] = {r->wire.memory, r->wire.theirs};
    const char *const readable[] = {job->runner[0], NULL};
    struct box_spec spec = {.argv = job->runner,
                            .readable = readable,
                            .fds = fds,
                            .nfds = 2,
                            .output = SAID_MOST,
                            .address_space = MEMORY_MOST,
                            .single = 1,
                            .open = job->open};
    if (box_start(&spec, &r->box, &why)) die("cannot start the runner: %s", why.data ? why.data : "?");
    r->level = r->box.level;
    wire_client_started(&r->wire);
    struct engine_options options = {.device = job->device, .threads = job->threads};
    int answer = wire_open(&r->wire, &options, &r->device);
    if (answer == WIRE_BROKEN) judge_runner_broken(r, "it started");
    if (answer) die("%s", r->wire.message);
}

void judge_runner_stop(struct judge_runner *r)
{
    if (!r->wire.shared) return;
    if (r->wire.end == WIRE_ALIVE) wire_close(&r->wire);
#ifdef COVERAGE // a runner that is killed writes no counters
    for (int i = 0; i < 2000 && box_poll(&r->box); ++i) poll(NULL, 0, 1);
#endif
    box_free(&r->box);
    wire_client_free(&r->wire);
}

void judge_runner_broken(struct judge_runner *r, const char *doing)
{
    enum wire_end end = r->wire.end;
    box_kill(&r->box);
    const char *said = r->box.output.data ? r->box.output.data : "";
    int length = (int)strcspn(said, "\n");
    switch (end) {
    case WIRE_TIMEOUT:
        die("%s while %s: this machine is too slow or too busy, or the grader is at fault; nothing was graded",
            r->wire.message, doing);
    case WIRE_NONSENSE:
        die("%s (while %s): the grader is at fault, or the kernel attacked it; nothing was graded", r->wire.message,
            doing);
    case WIRE_ALIVE:
    case WIRE_DIED:
        break;
    }
    die("the runner died while %s%s%.*s: this is the grader's fault, not the kernel's; nothing was graded", doing,
        length ? ", saying: " : "", length, said);
}
