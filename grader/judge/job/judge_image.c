// Loads a compiled image into a runner process, and checks the runner's answers to commands.
#include "judge/job/judge_image.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "judge/job/judge_launch.h"

// A small case runs as on a device with SMALL_SMS multiprocessors. A grid of some blocks a multiprocessor has a
// thousand blocks on the largest devices, nearly all without work in a small case, and unoptimised kernels take seconds
// for them.
enum { SMALL_SMS = 16 };

static int refuse(struct judge_image *m, enum reason refusal)
{
    m->refusal = refusal;
    return -1;
}

int judge_image_must(struct judge_image *m, int answer, const char *doing)
{
    if (answer == WIRE_NO) die("the runner refused while %s: %s; nothing was graded", _(doing), m->runner.wire.message);
    if (answer != WIRE_BROKEN) return 0;
    if (m->kind == IMAGE_CARD) judge_runner_broken(&m->runner, doing);
    if (m->lost) return -1;
    m->lost = 1;
    judge_runner_lost(&m->runner, doing, m->sentence);
    return refuse(m, REASON_runner_ended);
}

// A kernel that the engine (simulator or GPU) cannot run earns no points, although the student made no mistake. If
// unsupported kernels were not judged, a student who cannot solve the lab could submit an unsupported kernel to avoid a
// bad grade. A call of a function that is declared but not defined is the student's mistake, so the verdict gives the
// reason "bad launch" instead of "not supported".
int judge_image_unsupported(struct judge_image *m, const char *message, int undefined)
{
    if (undefined) {
        message_print(m->sentence, sizeof m->sentence, "what is called must be defined: %s", message);
        return refuse(m, REASON_bad_launch);
    }
    if (m->kind == IMAGE_CARD)
        message_print(m->sentence, sizeof m->sentence, "the card does not take it: %s", message);
    else
        message_print(m->sentence, sizeof m->sentence, "the simulator cannot run this: %s", message);
    return refuse(m, REASON_not_supported);
}

int judge_image_start(struct judge_image *m, const struct judge_job *job, enum compile_image kind,
                      const struct text *image)
{
    *m = (struct judge_image){.job = job, .kind = kind, .observation = alloc_bytes(sizeof *m->observation)};
    struct stopwatch_lap lap = judge_image_begin(m);
    judge_runner_start(&m->runner, job, kind == IMAGE_CARD);
    int answer = wire_load(&m->runner.wire, image->data, image->length, &m->loaded);
    judge_image_end(m, &lap, "start a runner and load", compile_image_name[kind]);
    if (answer == WIRE_NO) return judge_image_unsupported(m, m->runner.wire.message, m->runner.wire.undefined);
    if (judge_image_must(m, answer, "the image was loaded")) return -1;
    if (judge_launch_check_kernels(&m->loaded, job->lab, m->sentence) ||
        judge_launch_read(&m->runner, job->lab, m->shape, m->sentence)) {
        refuse(m, REASON_bad_launch);
        if (m->runner.wire.end != WIRE_ALIVE) judge_image_must(m, WIRE_BROKEN, "the launch was read");
        return -1;
    }
    return 0;
}

struct stopwatch_lap judge_image_begin(const struct judge_image *m)
{
    return stopwatch_begin(m->runner.wire.cpu_ns);
}

void judge_image_end(const struct judge_image *m, const struct stopwatch_lap *lap, const char *phase,
                     const char *detail)
{
    stopwatch_end(m->job->timing, lap, m->runner.wire.cpu_ns, phase, detail);
}

void judge_image_stop(struct judge_image *m)
{
    judge_runner_stop(&m->runner);
    free(m->observation);
    m->observation = NULL;
}

void judge_image_plan(const struct judge_image *m, const struct lab_case *which, struct lab_plan *p,
                      struct arena *arena)
{
    *p = (struct lab_plan){
        .lab = m->job->lab, .which = which, .dim = which->dim, .sms = m->runner.device.sms, .arena = arena};
    if (which->flags & CASE_SMALL && p->sms > SMALL_SMS) p->sms = SMALL_SMS;
    memcpy(p->shape, m->shape, sizeof p->shape);
    m->job->lab->plan(p);
}

struct engine_launch judge_image_launch(const struct lab_step *s, const int engine[LAB_BUFFERS])
{
    struct engine_launch l = s->launch;
    for (uint32_t i = 0; i < l.nargs; ++i)
        if (l.arg[i].kind == ARG_BUFFER && l.arg[i].buffer >= 0) l.arg[i].buffer = engine[l.arg[i].buffer];
    return l;
}
