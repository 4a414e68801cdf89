// From a submission to a verdict.
//
// Theory of operation. Once the submission is compiled, three jobs have nothing to do with each other, and each gets a
// thread and a runner of its own:
//
//   optimised     the correctness cases, then (if all are right and nothing was found) the speed case
//   unoptimised   the small cases again: what the optimiser hides
//   baseline      compiled; the speed case; or both taken from the cache
//   card          (if there is one) both kernels compiled for it
//
// When all four have ended the verdict is drawn from what they observed (conclude.c).
//
// They share the job, which nobody writes, and the baseline's time, for which the first waits; and they are joined
// before anything is concluded: a verdict does not depend on which was faster. A runner is started and ended by the
// thread that uses it, because a box dies with the thread that started it.
//
// Orders. Blocks, warps and (since Volta) the lanes of a warp run in no promised order, and a kernel that is right in
// some of them is right by luck. So each short case is run in four: the optimised image in ascending order, then in one
// in which lanes stray from each other too; the unoptimised one in two others, likewise. A case that is right in one
// order and wrong in another, of one image, is a finding. "Right" is the lab's own word: what must be exact (integers)
// is so bit for bit in every order; a sum of floats by atomics may differ from order to order as long as it stays
// within the bound that the lab derived for it, because its last bits are nobody's promise either.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/prng.h"
#include "judge/cache.h"
#include "judge/grading.h"
#include "judge/host.h"
#include "judge/measure.h"
#include "judge/shape.h"
#include "lab/threshold.h"

// Warp instructions of a case that is run in a second order: what is longer shows nothing new and takes its time.
static const uint64_t AGAIN_MOST = 1 << 17;

// 1 when the case is run on the unoptimised image as well.
static int is_run_unoptimised(const struct lab_case *c, int coverage)
{
    return !(c->flags & CASE_SPEED) && (c->flags & CASE_SMALL || coverage);
}

int judge_steps(const struct lab *lab, int coverage)
{
    int steps = 1 + 2; // compiling, two speed cases
    if (lab->host) return steps + (int)lab->ncases - 1;
    for (uint32_t i = 0; i < lab->ncases; ++i)
        steps += !(lab->cases[i].flags & CASE_SPEED) + is_run_unoptimised(&lab->cases[i], coverage);
    return steps;
}

// Orders have seeds of their own, not that of inputs.
static void draw_orders(struct grading *g)
{
    struct prng schedule = prng_stream(g->job->seed, "schedule of blocks and warps");
    for (int i = 0; i < 3; ++i) g->order_seed[i] = prng_u64(&schedule) | 1;
}

static void step(struct grading *g, const char *what)
{
    if (!g->job->step) return;
    pthread_mutex_lock(&g->step_lock);
    g->job->step(g->job->step_data, what);
    pthread_mutex_unlock(&g->step_lock);
}

// ------------------------------------------------------------------------------------------------------- the threads
// Runs a case once more, in another order. Right in one and wrong in the other is a finding, unless something else is
// found, which then is the cause.
static void look_at_order(struct part *p, uint32_t index, struct trial_order order)
{
    struct trial_outcome again;
    enum case_result result = p->outcome[index].result;
    if (!(p->grading->job->lab->cases[index].flags & CASE_SMALL) || p->outcome[index].inst > AGAIN_MOST) return;
    if ((result != CASE_RIGHT && result != CASE_WRONG) || verdict_defects(&p->trial.findings)) return;
    order.again = 1;
    trial_run(&p->trial, index, order, &again);
    if (again.result == result || (again.result != CASE_RIGHT && again.result != CASE_WRONG)) return;
    if (verdict_defects(&p->trial.findings)) return;
    const struct lab_case *which = &p->grading->job->lab->cases[index];
    struct verdict_finding f = {.finding = {.kind = FINDING_order_dependent, .buffer = -1, .count = 1},
                                .which = index,
                                .cases = UINT64_C(1) << index,
                                .hidden = (which->flags & CASE_HIDDEN) != 0,
                                .optimised = p->trial.which == IMAGE_OPTIMISED,
                                .unoptimised = p->trial.which == IMAGE_UNOPTIMISED};
    verdict_findings_add(&p->trial.findings, &f);
}

static void run_case_optimised(struct part *p, uint32_t i)
{
    trial_run(&p->trial, i, (struct trial_order){0}, &p->outcome[i]);
    look_at_order(p, i, (struct trial_order){.seed = p->grading->order_seed[0], .stray = 1});
}

static void run_case_unoptimised(struct part *p, uint32_t i)
{
    const uint64_t *seed = p->grading->order_seed;
    trial_run(&p->trial, i, (struct trial_order){.seed = seed[1]}, &p->outcome[i]);
    int in_order = p->outcome[i].result == CASE_WRONG; // wrong out of order: is it right in order?
    look_at_order(p, i, (struct trial_order){.seed = in_order ? 0 : seed[2], .stray = !in_order});
}

// Waits for the baseline's time. Who is too slow fails for that, whether all the work was done or not; to look at the
// work of a slow kernel would take long.
static int is_too_slow(struct part *p)
{
    struct grading *g = p->grading;
    while (sem_wait(&g->timed)) continue; // a signal
    sem_post(&g->timed);
    return (double)g->part[PART_BASELINE].speed.time_ps < g->needed * (double)p->speed.time_ps;
}

static void try_optimised(struct part *p)
{
    struct grading *g = p->grading;
    const struct lab *lab = g->job->lab;
    int right = !trial_start(&p->trial, g->job, IMAGE_OPTIMISED, &g->compiled->image[IMAGE_OPTIMISED]);
    for (uint32_t i = 0; i < lab->ncases && !p->trial.sentence[0]; ++i) {
        if (lab->cases[i].flags & CASE_SPEED) continue;
        run_case_optimised(p, i);
        right = right && p->outcome[i].result == CASE_RIGHT;
        step(g, lab->cases[i].flags & CASE_HIDDEN ? _("a hidden case") : lab->cases[i].name);
    }
    if (!right || verdict_defects(&p->trial.findings)) return;
    trial_speed(&p->trial, &p->speed);
    if (!is_too_slow(p)) trial_work(&p->trial, &p->speed);
}

static void try_unoptimised(struct part *p)
{
    struct grading *g = p->grading;
    const struct lab *lab = g->job->lab;
    trial_start(&p->trial, g->job, IMAGE_UNOPTIMISED, &g->compiled->image[IMAGE_UNOPTIMISED]);
    for (uint32_t i = 0; i < lab->ncases && !p->trial.sentence[0]; ++i) {
        if (!is_run_unoptimised(&lab->cases[i], g->job->coverage)) continue;
        run_case_unoptimised(p, i);
        step(g, N_("without optimisation"));
    }
}

// Once more where the runner ended early, unless it had taken long: it may have been the machine (judge/runner.c).
static void try_twice(struct part *p, void (*try)(struct part *))
{
    static const double LONG_S = 20;
    try(p);
    if (p->trial.lost && p->trial.runner.box.wall_s < LONG_S) {
        trial_stop(&p->trial);
        speed_run_free(&p->speed);
        memset(p->outcome, 0, sizeof p->outcome);
        try(p);
    }
    judge_runner_stop(&p->trial.runner);
}

static void *run_optimised(void *data)
{
    struct part *p = data;
    try_twice(p, try_optimised);
    step(p->grading, N_("speed"));
    return NULL;
}

static void *run_unoptimised(void *data)
{
    try_twice(data, try_unoptimised);
    return NULL;
}

static void time_baseline(struct part *p, const struct text *image)
{
    const struct judge_job *job = p->grading->job;
    if (trial_start(&p->trial, job, IMAGE_OPTIMISED, image))
        die("the baseline '%s' is not launched: %s", job->baseline, p->trial.sentence);
    trial_speed(&p->trial, &p->speed);
    if (p->speed.problem[0] || !p->speed.time_ps) die("the baseline's speed is not known: %s", p->speed.problem);
    judge_runner_stop(&p->trial.runner);
}

static void *run_baseline(void *data)
{
    struct part *p = data;
    struct grading *g = p->grading;
    struct text image = {0};
    judge_baseline_image(g->job, g->job->compiler, IMAGE_OPTIMISED, &image);
    if (!judge_kept_speed(g->job, &image, &p->speed)) {
        time_baseline(p, &image);
        judge_keep_speed(g->job, &image, &p->speed);
    }
    sem_post(&g->timed);
    text_free(&image);
    step(g, N_("the baseline's speed"));
    return NULL;
}

// A student's runner ended early, and the baseline's speed was kept from another day: the baseline must run now, or it
// is the machine that is at fault (judge/runner.c).
static void try_machine(struct grading *g)
{
    struct part *p = &g->part[PART_BASELINE];
    struct text image = {0};
    if (p->trial.job || !(g->part[PART_OPTIMISED].trial.lost || g->part[PART_UNOPTIMISED].trial.lost)) return;
    judge_baseline_image(g->job, g->job->compiler, IMAGE_OPTIMISED, &image);
    speed_run_free(&p->speed);
    time_baseline(p, &image);
    text_free(&image);
}

static void *make_card_images(void *data)
{
    struct grading *g = data;
    char why[OBSERVATION_MESSAGE];
    if (!g->job->card_runner) return NULL;
    g->card_there = !judge_card_images(g->job, &g->card_student, &g->card_baseline, why);
    if (!g->card_there && g->job->card_needed)
        die("there is no card to measure on: %s; without --engine gpu the simulator's time counts", why);
    return NULL;
}

static void run_all(struct grading *g)
{
    static void *(*const body[PARTS])(void *) = {run_optimised, run_unoptimised, run_baseline};
    pthread_t thread[PARTS + 1];
    int error = pthread_create(&thread[PARTS], NULL, make_card_images, g);
    for (int i = 0; i < PARTS && !error; ++i) {
        g->part[i].grading = g;
        error = pthread_create(&thread[i], NULL, body[i], &g->part[i]);
    }
    if (error) die("cannot start a thread: %s", strerror(error));
    for (int i = 0; i <= PARTS; ++i) pthread_join(thread[i], NULL);
    try_machine(g);
}

// ------------------------------------------------------------------------------------------------------- the whole
static void clear(struct grading *g)
{
    for (int i = 0; i < PARTS; ++i) {
        trial_stop(&g->part[i].trial);
        speed_run_free(&g->part[i].speed);
    }
    text_free(&g->card_student);
    text_free(&g->card_baseline);
    free(g);
}

static void run_images(struct verdict *v, const struct compile_result *compiled)
{
    struct grading *g = alloc_zeroed(1, sizeof *g);
    g->job = v->job;
    g->compiled = compiled;
    draw_orders(g);
    g->needed = v->speed.needed;
    pthread_mutex_init(&g->step_lock, NULL);
    sem_init(&g->timed, 0, 0);
    run_all(g);
    grading_conclude(v, g);
    sem_destroy(&g->timed);
    pthread_mutex_destroy(&g->step_lock);
    clear(g);
}

// ------------------------------------------------------------------------------------------------ one image alone
// What the score would say first of this case.
static void say_reason(const struct part *p, enum verdict_stage stage, enum case_result result,
                       char reason[VERDICT_REASON])
{
    struct verdict *v = alloc_zeroed(1, sizeof *v);
    v->stage = stage;
    v->ncases = 1;
    v->item[0].result = result;
    v->findings = p->trial.findings;
    v->ndefects = verdict_defects(&v->findings);
    verdict_score(v);
    memcpy(reason, v->reason[0], VERDICT_REASON);
    free(v);
}

int judge_sound(const struct judge_job *job, enum compile_image image, const struct text *ptx,
                char reason[VERDICT_REASON])
{
    struct grading *g = alloc_zeroed(1, sizeof *g);
    struct part *p = &g->part[image];
    int optimised = image == IMAGE_OPTIMISED;
    p->grading = g;
    g->job = job;
    draw_orders(g);
    int sound = !trial_start(&p->trial, job, image, ptx);
    if (!sound) say_reason(p, STAGE_LAUNCH, CASE_REFUSED, reason);
    for (uint32_t i = 0; i < job->lab->ncases && sound; ++i) {
        const struct lab_case *c = &job->lab->cases[i];
        if (c->flags & CASE_SPEED || (!optimised && !is_run_unoptimised(c, 0))) continue;
        (optimised ? run_case_optimised : run_case_unoptimised)(p, i);
        // An unoptimised image's outputs count only where they depend on the order.
        enum case_result result = optimised ? p->outcome[i].result : CASE_RIGHT;
        sound = result == CASE_RIGHT && !verdict_defects(&p->trial.findings);
        if (!sound) say_reason(p, STAGE_RUN, result, reason);
    }
    trial_stop(&p->trial);
    free(g);
    return sound;
}

// ------------------------------------------------------------------------------------------------------ all of it
static void grade_kernels(const struct judge_job *job, struct verdict *v)
{
    struct compile_result compiled;
    compile_source(job->compiler, job->source, job->bytes, job->shown, job->kit,
                   1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED, &compiled);
    if (compiled.status == COMPILE_FAILED) die("%s", compiled.messages.data);
    if (job->step) job->step(job->step_data, N_("compiled"));
    if (compiled.level < v->sandbox) v->sandbox = compiled.level;
    v->messages = compiled.messages;
    compiled.messages = (struct text){0};
    if (compiled.status == COMPILED) run_images(v, &compiled);
    v->image = compiled.image[IMAGE_OPTIMISED];
    compiled.image[IMAGE_OPTIMISED] = (struct text){0};
    compile_result_free(&compiled);
}

void verdict_begin(struct verdict *v, const struct judge_job *job)
{
    memset(v, 0, sizeof *v);
    v->job = job;
    v->sandbox = job->open ? BOX_LIMITS : box_level_here();
    struct lab_threshold threshold = lab_threshold(job->lab, job->device);
    v->speed.minimum = threshold.minimum;
    v->speed.full = threshold.full;
    v->speed.needed = threshold.minimum * JUDGE_MODEL_SLACK;
    snprintf(v->compiler, sizeof v->compiler, "%s", job->compiler->version);
}

void judge_grade(const struct judge_job *job, struct verdict *v)
{
    BUG_ON(job->lab->ncases > VERDICT_CASES);
    verdict_begin(v, job);
    if (job->lab->host)
        judge_host_grade(job, v);
    else
        grade_kernels(job, v);
    verdict_score(v);
    verdict_next(v);
}

void verdict_free(struct verdict *v)
{
    text_free(&v->messages);
    text_free(&v->print);
    text_free(&v->image);
    free(v->coverage);
    v->coverage = NULL;
    look_free(&v->look);
    if (v->program.timeline) free(v->program.timeline->span);
    free(v->program.timeline);
    free(v->program.trace);
    v->program = (struct verdict_program){0};
}
