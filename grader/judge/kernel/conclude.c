// Computes the verdict on a submission of kernels from the observations of all runs: the test cases, the findings, the
// coverage and the speed.
//
// All runs of the submission and the baseline have ended before kernel_runs_conclude() is called. Observations are
// merged in the order of test cases and images, so the order in which threads ended does not matter. After the
// observations are merged, kernels that are right and safe are measured on a GPU, if there is a GPU (card/kernels.c).
// No other process of the same grading computes during the measurement on the GPU.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "judge/card/kernels.h"
#include "judge/kernel/kernel_profile.h"
#include "judge/kernel/runs.h"

static void take_cases(struct verdict *v, const struct kernel_runs *g)
{
    const struct lab *lab = g->grading->job->lab;
    for (uint32_t i = 0; i < lab->ncases; ++i) {
        if (lab->cases[i].flags & CASE_SPEED) continue;
        const struct case_run *o = &g->run[RUN_OPTIMISED].item[i];
        struct verdict_case *c = &v->item[v->ncases++];
        *c = (struct verdict_case){.which = &lab->cases[i], .result = o->result, .outputs = o->outputs};
        memcpy(c->message, o->message, sizeof c->message);
        v->nright += o->result == CASE_RIGHT;
        if (o->result != CASE_WRONG && o->result != CASE_STOPPED) continue;
        struct arena arena = {0};
        struct lab_plan plan;
        judge_image_plan(&g->run[RUN_OPTIMISED].image, c->which, &plan, &arena);
        for (uint32_t s = 0; s < plan.nsteps; ++s) c->kernels |= 1u << plan.step[s].kernel;
        if (o->result == CASE_WRONG) {
            const struct lab_buffer *b = &plan.buffer[o->buffer];
            c->buffer = b->name;
            c->type = b->type;
            c->count = b->count;
            c->comparison = o->comparison;
        }
        arena_free(&arena);
    }
}

// Returns the index that a test case has in the verdict. `index` is the test case's index in the lab. The verdict
// leaves out the speed case (the test case whose time is measured), so the indices of later test cases are smaller in
// the verdict than in the lab.
static uint32_t place_in_verdict(const struct lab *lab, uint32_t index)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < index; ++i) place += !(lab->cases[i].flags & CASE_SPEED);
    return place;
}

// Removes findings of order-dependent outputs if the list contains another defect, because the other defect explains
// the order-dependent outputs.
static void forget_order(struct verdict_findings *f)
{
    uint32_t n = 0, defects = verdict_defects(f);
    for (uint32_t i = 0; i < f->count; ++i) defects -= f->item[i].finding.kind == FINDING_order_dependent;
    for (uint32_t i = 0; i < f->count; ++i)
        if (!defects || f->item[i].finding.kind != FINDING_order_dependent) f->item[n++] = f->item[i];
    f->count = n;
}

static void take_findings(struct verdict *v, const struct kernel_runs *g)
{
    const struct lab *lab = g->grading->job->lab;
    for (int part = RUN_OPTIMISED; part <= RUN_UNOPTIMISED; ++part) {
        const struct verdict_findings *from = &g->run[part].findings;
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

static void take_lines(struct verdict_kernel *k, const struct observation *o)
{
    for (uint32_t i = 0; i < o->nlines && k->nhot < VERDICT_LINES; ++i) {
        const struct line_counters *l = &o->line[i];
        if (l->file != FILE_STUDENT || !l->line) continue;
        k->hot[k->nhot++] =
            (struct verdict_line){l->line, verdict_permille(l->counters.warp_cycles, o->counters.warp_cycles)};
    }
}

static void take_kernel(struct verdict_kernel *k, const char *name, const struct kernel_speed *student,
                        const struct judge_record *baseline, int index)
{
    const struct observation *o = student->last[index];
    *k = (struct verdict_kernel){.name = name,
                                 .time_ps = student->kernel_ps[index],
                                 .baseline_ps = baseline->kernel[index].time_ps,
                                 .registers = o->registers,
                                 .shared_bytes = o->shared_bytes,
                                 .local_bytes = o->local_bytes,
                                 .blocks_per_sm = o->blocks_per_sm,
                                 .occupancy_permille = o->occupancy_permille,
                                 .occupancy_limit = o->occupancy_limit,
                                 .blocks = o->blocks,
                                 .blocks_run = o->blocks_run,
                                 .counters = o->counters};
    for (uint32_t i = 0; i < student->plan.nsteps; ++i) {
        const uint32_t *block = student->plan.step[i].launch.block;
        if (student->plan.step[i].kernel == (uint32_t)index) k->threads = block[0] * block[1] * block[2];
    }
    verdict_take_bounds(k, (enum resource)o->bound, o->resource_ps, o->time_ps);
    take_lines(k, o);
}

static uint64_t bytes_of(const struct lab_plan *p, enum lab_role role)
{
    uint64_t words = 0;
    for (uint32_t i = 0; i < p->nbuffers; ++i)
        if (p->buffer[i].role == role) words += p->buffer[i].count;
    return words * 4;
}

// Returns the least number of bytes that correct kernels must read or write in memory. A correct kernel reads each
// input and writes each output at least once. The bytes of a buffer that the kernel updates count twice, because a
// correct kernel reads them and writes them.
static uint64_t useful_bytes(const struct lab_plan *p)
{
    return bytes_of(p, LAB_INPUT) + bytes_of(p, LAB_OUTPUT) + 2 * bytes_of(p, LAB_UPDATE);
}

static void take_card(struct verdict_speed *s, const struct kernel_runs *g)
{
    struct measurement *m = &s->card;
    s->predicted = s->speedup;
    if (!g->card_there) return;
    if (!g->card_student.length) {
        m->end = MEASURE_REFUSED;
        message_print(m->message, sizeof m->message, "it does not compile for the card");
        return;
    }
    kernels_measure(g->grading->job, &g->card_student, &g->card_baseline, m, 1);
    verdict_take_card(s, g->grading->job);
}

static void take_speed(struct verdict *v, struct kernel_runs *g)
{
    const struct kernel_speed *student = &g->run[RUN_OPTIMISED].speed;
    const struct judge_record *baseline = &g->baseline;
    struct verdict_speed *s = &v->speed;
    if (v->nright != v->ncases || v->ndefects) return;
    memcpy(s->problem, student->problem, sizeof s->problem);
    if (!s->problem[0] && !student->time_ps)
        message_print(s->problem, sizeof s->problem, "the speed case launched nothing");
    if (s->problem[0]) return;
    s->measured = s->model = 1;
    s->time_ps = student->time_ps;
    s->baseline_ps = baseline->time_ps;
    s->speedup = (double)s->baseline_ps / (double)s->time_ps;
    s->sampled = student->sampled || baseline->sampled;
    s->unseen_permille = (uint32_t)(student->unseen_ps * 1000 / student->time_ps);
    s->useful_bytes = useful_bytes(&student->plan);
    s->student = student->sum;
    s->baseline = judge_record_sum(baseline);
    s->baseline_ran = g->baseline_ran;
    for (int k = 0; k < LAB_KERNELS && v->job->lab->kernel[k]; ++k) {
        take_kernel(&s->kernel[k], v->job->lab->kernel[k], student, baseline, k);
        s->nkernels = (uint32_t)k + 1;
        if (s->kernel[k].time_ps > s->kernel[s->slowest].time_ps) s->slowest = (uint32_t)k;
    }
    struct lab_evidence e = {.plan = &student->plan, .student_sum = student->sum, .baseline_sum = s->baseline};
    for (int k = 0; k < LAB_KERNELS; ++k) {
        e.student[k] = student->last[k];
        e.student_kernel[k] = &student->kernel_sum[k];
        e.baseline[k] = &baseline->kernel[k].counters;
    }
    memcpy(e.used, student->used, sizeof e.used);
    v->job->lab->technique(&e, &s->technique);
    kernel_profile_take(&v->profile, v->job, &v->device, &g->run[RUN_OPTIMISED].speed);
    take_card(s, g);
}

// Returns the first test case whose launch the device refused, if the device accepted no launch in any test case, else
// NULL. If the result is not NULL, the kernels' launch shape is at fault, not the size of one test case.
static const struct verdict_case *refused_everywhere(const struct verdict *v, const struct kernel_runs *g)
{
    const struct verdict_case *first = NULL;
    for (uint32_t i = 0; i < g->grading->job->lab->ncases; ++i)
        if (g->run[RUN_OPTIMISED].item[i].launched) return NULL;
    for (uint32_t i = v->ncases; i-- > 0;)
        if (v->item[i].result == CASE_REFUSED) first = &v->item[i];
    return first;
}

static void take_coverage(struct verdict *v, const struct kernel_runs *g)
{
    const struct kernel_run *all = &g->run[RUN_OPTIMISED], *small = &g->run[RUN_UNOPTIMISED];
    v->coverage = alloc_zeroed(1, sizeof *v->coverage);
    *v->coverage = *small->shown;
    coverage_mark(v->coverage, small->unshown);
    // the optimiser adds branches, so the optimised image's branches do not count, only its lines and functions
    struct coverage *const optimised[] = {all->shown, all->unshown};
    for (int i = 0; i < 2; ++i) {
        optimised[i]->nbranches = 0;
        coverage_mark(v->coverage, optimised[i]);
    }
}

void kernel_runs_conclude(struct kernel_runs *g)
{
    struct verdict *v = g->grading->verdict;
    struct kernel_run *first = &g->run[RUN_OPTIMISED];
    v->device = first->image.runner.device;
    if (first->image.runner.level < v->sandbox) v->sandbox = first->image.runner.level;
    for (int part = RUN_OPTIMISED; part <= RUN_UNOPTIMISED; ++part) {
        const struct judge_image *t = &g->run[part].image;
        if (!t->sentence[0]) continue;
        v->stage = STAGE_LAUNCH;
        v->refusal = t->refusal;
        snprintf(v->sentence, sizeof v->sentence, "%s", t->sentence);
        return;
    }
    v->stage = STAGE_RUN;
    take_cases(v, g);
    take_findings(v, g);
    take_coverage(v, g);
    const struct verdict_case *refused = refused_everywhere(v, g);
    if (refused) {
        v->stage = STAGE_LAUNCH;
        v->refusal = REASON_bad_launch;
        snprintf(v->sentence, sizeof v->sentence, "%s", refused->message);
        return;
    }
    text_add(&v->print, first->print.data ? first->print.data : "", first->print.length);
    take_speed(v, g);
}
