// From a submission to a verdict.
//
// Theory of operation. Once the submission is compiled, three jobs have nothing to do with each other, and each gets a
// thread and a runner of its own:
//
//   optimised     the correctness cases, then (if all are right and nothing was found) the speed case
//   unoptimised   the small cases again: what the optimiser hides
//   baseline      compiled or taken from the cache; the speed case
//   card          (if there is one) both kernels compiled for it
//
// When all four have ended, and the submission is right and safe, its speed is measured on the card (measure.c), with
// nothing else of ours at work.
//
// They share nothing but the job, which nobody writes, and are joined before anything is concluded: a verdict does not
// depend on which was faster. A runner is started and ended by the thread that uses it, because a box dies with the
// thread that started it.
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

#include "base/die.h"
#include "base/message.h"
#include "base/prng.h"
#include "judge/cache.h"
#include "judge/host.h"
#include "judge/measure.h"
#include "judge/shape.h"
#include "judge/trial.h"

struct grading {
    const struct judge_job *job;
    const struct compile_result *compiled;
    uint64_t order_seed[3];
    pthread_mutex_t step_lock;
    struct part {
        struct grading *grading;
        struct trial trial;
        struct trial_outcome outcome[VERDICT_CASES];
        struct speed_run speed;
        int refused; // trial_start gave `sentence`
        char sentence[OBSERVATION_MESSAGE];
    } part[3];
    struct text card_student, card_baseline; // images for the card; empty: there is none
    int card_there;                          // 1: a card was found
};
enum { OPTIMISED, UNOPTIMISED, BASELINE, PARTS };
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

static void *run_optimised(void *data)
{
    struct part *p = data;
    struct grading *g = p->grading;
    const struct lab *lab = g->job->lab;
    p->refused = trial_start(&p->trial, g->job, IMAGE_OPTIMISED, &g->compiled->image[IMAGE_OPTIMISED], p->sentence);
    int right = !p->refused;
    for (uint32_t i = 0; i < lab->ncases && !p->refused; ++i) {
        if (lab->cases[i].flags & CASE_SPEED) continue;
        run_case_optimised(p, i);
        right = right && p->outcome[i].result == CASE_RIGHT;
        step(g, lab->cases[i].flags & CASE_HIDDEN ? _("a hidden case") : lab->cases[i].name);
    }
    if (right && !verdict_defects(&p->trial.findings)) trial_speed(&p->trial, &p->speed);
    judge_runner_stop(&p->trial.runner);
    step(g, "speed");
    return NULL;
}

static void *run_unoptimised(void *data)
{
    struct part *p = data;
    struct grading *g = p->grading;
    const struct lab *lab = g->job->lab;
    p->refused = trial_start(&p->trial, g->job, IMAGE_UNOPTIMISED, &g->compiled->image[IMAGE_UNOPTIMISED], p->sentence);
    for (uint32_t i = 0; i < lab->ncases && !p->refused; ++i) {
        if (!is_run_unoptimised(&lab->cases[i], g->job->coverage)) continue;
        run_case_unoptimised(p, i);
        step(g, "without optimisation");
    }
    judge_runner_stop(&p->trial.runner);
    return NULL;
}

static void *run_baseline(void *data)
{
    struct part *p = data;
    struct grading *g = p->grading;
    struct text image = {0};
    judge_baseline_image(g->job, g->job->compiler, IMAGE_OPTIMISED, &image);
    p->refused = trial_start(&p->trial, g->job, IMAGE_OPTIMISED, &image, p->sentence);
    if (p->refused) die("the baseline '%s' is not launched: %s", g->job->baseline, p->sentence);
    trial_speed(&p->trial, &p->speed);
    if (p->speed.problem[0] || !p->speed.time_ps) die("the baseline's speed is not known: %s", p->speed.problem);
    judge_runner_stop(&p->trial.runner);
    text_free(&image);
    step(g, "the baseline's speed");
    return NULL;
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
}

// ------------------------------------------------------------------------------------------------------- concluding
static void take_cases(struct verdict *v, const struct grading *g)
{
    const struct lab *lab = g->job->lab;
    for (uint32_t i = 0; i < lab->ncases; ++i) {
        if (lab->cases[i].flags & CASE_SPEED) continue;
        const struct trial_outcome *o = &g->part[OPTIMISED].outcome[i];
        struct verdict_case *c = &v->item[v->ncases++];
        *c = (struct verdict_case){.which = &lab->cases[i], .result = o->result, .outputs = o->outputs};
        memcpy(c->message, o->message, sizeof c->message);
        v->nright += o->result == CASE_RIGHT;
        if (o->result != CASE_WRONG) continue;
        struct arena arena = {0};
        struct lab_plan plan;
        trial_plan(&g->part[OPTIMISED].trial, c->which, &plan, &arena);
        const struct lab_buffer *b = &plan.buffer[o->buffer];
        c->buffer = b->name;
        c->type = b->type;
        c->count = b->count;
        c->comparison = o->comparison;
        arena_free(&arena);
    }
}

// A finding names its case by its place in the lab; the verdict counts cases without the speed case.
static uint32_t place_in_verdict(const struct lab *lab, uint32_t index)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < index; ++i) place += !(lab->cases[i].flags & CASE_SPEED);
    return place;
}

// An output that depends on the order is told only where nothing says why.
static void forget_order(struct verdict_findings *f)
{
    uint32_t n = 0, defects = verdict_defects(f);
    for (uint32_t i = 0; i < f->count; ++i) defects -= f->item[i].finding.kind == FINDING_order_dependent;
    for (uint32_t i = 0; i < f->count; ++i)
        if (!defects || f->item[i].finding.kind != FINDING_order_dependent) f->item[n++] = f->item[i];
    f->count = n;
}

static void take_findings(struct verdict *v, const struct grading *g)
{
    const struct lab *lab = g->job->lab;
    for (int part = OPTIMISED; part <= UNOPTIMISED; ++part) {
        const struct verdict_findings *from = &g->part[part].trial.findings;
        v->findings.dropped += from->dropped;
        for (uint32_t i = 0; i < from->count; ++i) {
            struct verdict_finding f = from->item[i];
            f.which = place_in_verdict(lab, f.which);
            uint64_t cases = 0;
            for (uint32_t c = 0; c < lab->ncases; ++c)
                if (f.cases >> c & 1) cases |= UINT64_C(1) << place_in_verdict(lab, c);
            f.cases = cases;
            verdict_findings_add(&v->findings, &f);
        }
    }
    forget_order(&v->findings);
    verdict_findings_reduce(&v->findings);
    verdict_findings_sort(&v->findings);
    v->ndefects = verdict_defects(&v->findings);
}

static uint32_t permille(uint64_t part, uint64_t whole)
{
    double share = whole ? (double)part / (double)whole * 1000 : 0;
    return share > 1000 ? 1000 : (uint32_t)share;
}

static void take_lines(struct verdict_kernel *k, const struct observation *o)
{
    for (uint32_t i = 0; i < o->nlines && k->nhot < VERDICT_LINES; ++i) {
        const struct line_counters *l = &o->line[i];
        if (l->file != FILE_STUDENT || !l->line) continue;
        k->hot[k->nhot++] = (struct verdict_line){l->line, permille(l->counters.warp_cycles, o->counters.warp_cycles)};
    }
}

// Which resource bounds the kernel, and what the next one would allow.
static void take_bounds(struct verdict_kernel *k, const struct observation *o)
{
    uint64_t launch = o->resource_ps[RESOURCE_LAUNCH], next_ps = 0;
    k->bound = k->next = (enum resource)o->bound;
    for (uint32_t r = 0; r < RESOURCES; ++r) {
        if (r == o->bound || o->resource_ps[r] < next_ps) continue;
        k->next = r;
        next_ps = o->resource_ps[r];
    }
    uint64_t then = k->bound == RESOURCE_LAUNCH || k->next == RESOURCE_LAUNCH ? next_ps : launch + next_ps;
    double gain = then ? (double)o->time_ps / (double)then * 1000 : 0;
    k->bound_permille = permille(o->resource_ps[o->bound], o->time_ps);
    k->next_permille = permille(next_ps, o->time_ps);
    k->next_gain_permille = gain > 1e6 ? 1000000 : (uint32_t)gain;
}

static void take_kernel(struct verdict_kernel *k, const char *name, const struct speed_run *student,
                        const struct speed_run *baseline, int index)
{
    const struct observation *o = student->last[index];
    *k = (struct verdict_kernel){.name = name,
                                 .time_ps = student->kernel_ps[index],
                                 .baseline_ps = baseline->kernel_ps[index],
                                 .registers = o->registers,
                                 .shared_bytes = o->shared_bytes,
                                 .local_bytes = o->local_bytes,
                                 .blocks_per_sm = o->blocks_per_sm,
                                 .occupancy_permille = o->occupancy_permille,
                                 .occupancy_limit = o->occupancy_limit,
                                 .blocks = o->blocks,
                                 .blocks_run = o->blocks_run,
                                 .counters = o->counters};
    take_bounds(k, o);
    take_lines(k, o);
}

static uint64_t bytes_of(const struct lab_plan *p, enum lab_role role)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i < p->nbuffers; ++i)
        if (p->buffer[i].role == role) words += p->buffer[i].count;
    return words * 4;
}

// Every input is read and every output written once; what is updated, both.
static uint64_t useful_bytes(const struct lab_plan *p)
{
    return bytes_of(p, LAB_INPUT) + bytes_of(p, LAB_OUTPUT) + 2 * bytes_of(p, LAB_UPDATE);
}

// The card's word on the speed, in place of the model's.
static void take_card(struct verdict_speed *s, const struct grading *g)
{
    struct measurement *m = &s->card;
    s->predicted = s->speedup;
    if (!g->card_there) return;
    if (!g->card_student.length) {
        m->end = MEASURE_REFUSED;
        snprintf(m->message, sizeof m->message, _("it does not compile for the card"));
        return;
    }
    judge_measure(g->job, &g->card_student, &g->card_baseline, m);
    if (m->end != MEASURE_DONE) return;
    s->model = 0;
    s->time_ps = m->student_ps;
    s->baseline_ps = m->baseline_ps;
    s->speedup = m->ratio;
    if (g->job->card_full > 0) {
        s->minimum = g->job->card_minimum;
        s->full = g->job->card_full;
    }
    s->needed = s->minimum;
}

// The simulator runs a sample of the speed case's blocks, so its outputs cannot be compared. A kernel that knows the
// size could leave work out there, or give it to blocks that the sample misses. What was counted must then account for
// the work: nearly every sector of the inputs touched (a compiler may load a part of each word), nearly every byte of
// the outputs stored, and a good part of the baseline's arithmetic, of which some may be spared honestly.
static int leaves_work_out(const struct speed_run *student, const struct speed_run *baseline)
{
    const struct counters *c = &student->sum;
    double touched = 32.0 * (double)c->global_ld_sectors;
    double stored = (double)c->global_st_bytes + 4.0 * (double)c->global_atomic_threads;
    return touched < 0.75 * (double)bytes_of(&student->plan, LAB_INPUT) ||
           stored < 0.75 * (double)bytes_of(&student->plan, LAB_OUTPUT) || 4 * c->flop < baseline->sum.flop;
}

static void take_speed(struct verdict *v, struct grading *g)
{
    const struct speed_run *student = &g->part[OPTIMISED].speed, *baseline = &g->part[BASELINE].speed;
    struct verdict_speed *s = &v->speed;
    if (v->nright != v->ncases || v->ndefects) return;
    memcpy(s->problem, student->problem, sizeof s->problem);
    if (!s->problem[0] && !student->time_ps)
        snprintf(s->problem, sizeof s->problem, _("the speed case launched nothing"));
    if (!s->problem[0] && leaves_work_out(student, baseline))
        snprintf(s->problem, sizeof s->problem,
                 _("in the speed case the kernels leave work out, or a few blocks do all of it"));
    if (s->problem[0]) return;
    s->measured = s->model = 1;
    s->time_ps = student->time_ps;
    s->baseline_ps = baseline->time_ps;
    s->speedup = (double)s->baseline_ps / (double)s->time_ps;
    s->sampled = student->sampled || baseline->sampled;
    s->useful_bytes = useful_bytes(&student->plan);
    s->student = student->sum;
    s->baseline = baseline->sum;
    for (int k = 0; k < LAB_KERNELS && v->job->lab->kernel[k]; ++k) {
        take_kernel(&s->kernel[k], v->job->lab->kernel[k], student, baseline, k);
        s->nkernels = (uint32_t)k + 1;
        if (s->kernel[k].time_ps > s->kernel[s->slowest].time_ps) s->slowest = (uint32_t)k;
    }
    struct lab_evidence e = {.plan = &student->plan, .student_sum = student->sum, .baseline_sum = baseline->sum};
    for (int k = 0; k < LAB_KERNELS; ++k) {
        e.student[k] = student->last[k];
        e.baseline[k] = baseline->last[k];
    }
    v->job->lab->technique(&e, &s->technique);
    look_take(&v->look, v->job->lab, &v->device, &g->part[OPTIMISED].speed);
    take_card(s, g);
}

// The first case that was refused, when no launch was taken at all: then it is not the size of a case that is at fault,
// but what the kernels ask for. NULL otherwise.
static const struct verdict_case *refused_everywhere(const struct verdict *v, const struct grading *g)
{
    const struct verdict_case *first = NULL;
    for (uint32_t i = 0; i < g->job->lab->ncases; ++i)
        if (g->part[OPTIMISED].outcome[i].launched) return NULL;
    for (uint32_t i = v->ncases; i-- > 0;)
        if (v->item[i].result == CASE_REFUSED) first = &v->item[i];
    return first;
}

static void take_coverage(struct verdict *v, const struct grading *g)
{
    const struct trial *all = &g->part[OPTIMISED].trial, *small = &g->part[UNOPTIMISED].trial;
    v->coverage = calloc(1, sizeof *v->coverage);
    if (!v->coverage) die("out of memory");
    *v->coverage = *small->shown;
    coverage_mark(v->coverage, small->unshown);
    // The optimiser makes branches of its own: only its lines and functions say something.
    struct coverage *const optimised[] = {all->shown, all->unshown};
    for (int i = 0; i < 2; ++i) {
        optimised[i]->nbranches = 0;
        coverage_mark(v->coverage, optimised[i]);
    }
}

static void conclude(struct verdict *v, struct grading *g)
{
    struct part *first = &g->part[OPTIMISED];
    v->device = first->trial.runner.device;
    if (first->trial.runner.level < v->sandbox) v->sandbox = first->trial.runner.level;
    if (first->refused || g->part[UNOPTIMISED].refused) {
        v->stage = STAGE_LAUNCH;
        snprintf(v->sentence, sizeof v->sentence, "%s",
                 first->refused ? first->sentence : g->part[UNOPTIMISED].sentence);
        return;
    }
    v->stage = STAGE_RUN;
    take_cases(v, g);
    take_findings(v, g);
    take_coverage(v, g);
    const struct verdict_case *refused = refused_everywhere(v, g);
    if (refused) {
        v->stage = STAGE_LAUNCH;
        snprintf(v->sentence, sizeof v->sentence, "%s", refused->message);
        return;
    }
    text_add(&v->print, first->trial.print.data ? first->trial.print.data : "", first->trial.print.length);
    take_speed(v, g);
}

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
    struct grading *g = calloc(1, sizeof *g);
    if (!g) die("out of memory");
    g->job = v->job;
    g->compiled = compiled;
    draw_orders(g);
    pthread_mutex_init(&g->step_lock, NULL);
    run_all(g);
    conclude(v, g);
    pthread_mutex_destroy(&g->step_lock);
    clear(g);
}

// ------------------------------------------------------------------------------------------------ one image alone
// What the score would say first of this case.
static void say_reason(const struct part *p, enum verdict_stage stage, enum case_result result,
                       char reason[VERDICT_REASON])
{
    struct verdict *v = calloc(1, sizeof *v);
    if (!v) die("out of memory");
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
    struct grading *g = calloc(1, sizeof *g);
    if (!g) die("out of memory");
    struct part *p = &g->part[image];
    int optimised = image == IMAGE_OPTIMISED;
    p->grading = g;
    g->job = job;
    draw_orders(g);
    int sound = !trial_start(&p->trial, job, image, ptx, p->sentence);
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
    if (job->step) job->step(job->step_data, "compiled");
    if (compiled.level < v->sandbox) v->sandbox = compiled.level;
    v->messages = compiled.messages;
    compiled.messages = (struct text){0};
    if (compiled.status == COMPILED) run_images(v, &compiled);
    v->image = compiled.image[IMAGE_OPTIMISED];
    compiled.image[IMAGE_OPTIMISED] = (struct text){0};
    compile_result_free(&compiled);
}

void judge_grade(const struct judge_job *job, struct verdict *v)
{
    memset(v, 0, sizeof *v);
    BUG_ON(job->lab->ncases > VERDICT_CASES);
    v->job = job;
    v->sandbox = job->open ? BOX_LIMITS : box_level_here();
    v->speed.minimum = job->lab->minimum;
    v->speed.full = job->lab->full;
    v->speed.needed = job->lab->minimum * JUDGE_MODEL_SLACK;
    snprintf(v->compiler, sizeof v->compiler, "%s", job->compiler->version);
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
    free(v->program.session);
    v->program = (struct verdict_program){0};
}
