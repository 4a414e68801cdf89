// Grades a submission of kernels: compiles the submission, runs its images (runs.c) and computes the verdict
// (conclude.c). The file kernel_grade.c also judges whether a single image is correct and safe, without a verdict.
#include "judge/kernel/kernel.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "judge/kernel/runs.h"

int kernel_steps(const struct lab *lab, int coverage)
{
    int steps = 1 + 2; // one step for compiling, and two for the speed cases of submission and baseline
    for (uint32_t i = 0; i < lab->ncases; ++i)
        for (int kind = IMAGE_OPTIMISED; kind <= IMAGE_UNOPTIMISED; ++kind)
            steps += kernel_run_has_case((enum compile_image)kind, &lab->cases[i], coverage);
    return steps;
}

static void run_images(struct grading *g, const struct compile_result *compiled)
{
    struct kernel_runs *all = alloc_zeroed(1, sizeof *all);
    all->grading = g;
    all->compiled = compiled;
    kernel_runs_all(all);
    kernel_runs_conclude(all);
    kernel_runs_free(all);
    free(all);
}

void kernel_grade(struct grading *g)
{
    const struct judge_job *job = g->job;
    struct verdict *v = g->verdict;
    struct compile_result compiled;
    struct stopwatch_lap lap = stopwatch_begin(0);
    compile_source(job->compiler, job->source, job->bytes, job->shown, job->kit,
                   1u << IMAGE_OPTIMISED | 1u << IMAGE_UNOPTIMISED, &compiled);
    stopwatch_end(job->timing, &lap, (uint64_t)(compiled.cpu_s * 1e9), "compile", "both images");
    if (compiled.status == COMPILE_FAILED) die("%s", compiled.messages.data);
    grading_step(g, N_("compiled"));
    if (compiled.level < v->sandbox) v->sandbox = compiled.level;
    v->price_s = compiled.cpu_s;
    v->messages = compiled.messages;
    compiled.messages = (struct text){0};
    if (compiled.status == COMPILED) run_images(g, &compiled);
    v->image = compiled.image[IMAGE_OPTIMISED];
    compiled.image[IMAGE_OPTIMISED] = (struct text){0};
    v->unoptimised = compiled.image[IMAGE_UNOPTIMISED];
    compiled.image[IMAGE_UNOPTIMISED] = (struct text){0};
    compile_result_free(&compiled);
}

// ---------------------------------------------------------------------------------------------- judging a single image
// Stores in `reason` why the image (compiled kernels) of run `p` does not pass. Makes a temporary verdict with the
// stage `stage`, the findings of `p` and one test case, whose result is `result`. The first reason that verdict_score()
// stores in the temporary verdict becomes `reason`.
static void find_reason(const struct kernel_run *p, enum verdict_stage stage, enum case_result result,
                        struct verdict_reason *reason)
{
    struct verdict *v = alloc_zeroed(1, sizeof *v);
    v->stage = stage;
    v->refusal = p->image.refusal;
    v->ncases = 1;
    v->item[0].result = result;
    v->findings = p->findings;
    v->ndefects = verdict_defects(&v->findings);
    verdict_score(v);
    *reason = v->reason[0];
    free(v);
}

int kernel_sound(const struct judge_job *job, enum compile_image kind, const struct text *image,
                 struct verdict_reason *reason)
{
    struct kernel_run *p = alloc_zeroed(1, sizeof *p);
    struct lab_drawn drawn;
    struct judge_job own = *job;
    judge_job_draw(job, &drawn);
    own.lab = &drawn.lab;
    int sound = !kernel_run_start(p, &own, kind, image);
    if (!sound) find_reason(p, STAGE_LAUNCH, CASE_REFUSED, reason);
    for (uint32_t i = 0; i < job->lab->ncases && sound; ++i) {
        if (!kernel_run_has_case(kind, &drawn.cases[i], 0)) continue;
        kernel_run_orders(p, i);
        // a wrong output of the unoptimised image counts only if the output depends on the order of threads
        enum case_result result = kind == IMAGE_OPTIMISED ? p->item[i].result : CASE_RIGHT;
        sound = result == CASE_RIGHT && !verdict_defects(&p->findings);
        if (!sound) find_reason(p, STAGE_RUN, result, reason);
    }
    kernel_run_free(p);
    free(p);
    return sound;
}

// The most warp instructions of all cases of a kernel_try(). Good kernels need a tenth of it.
static const uint64_t TRIED_MOST = 32 << 20;

int kernel_try(const struct judge_job *job, enum compile_image kind, const struct text *image, uint64_t cases,
               struct verdict_findings *findings, struct kernel_tried *tried)
{
    struct kernel_run *p = alloc_zeroed(1, sizeof *p);
    struct lab_drawn drawn;
    struct judge_job own = *job;
    uint32_t place = 0;
    lab_draw(job->lab, &job->secret, job->seed, &drawn);
    own.lab = &drawn.lab;
    int refused = kernel_run_start(p, &own, kind, image);
    p->left = TRIED_MOST;
    for (uint32_t i = 0; i < job->lab->ncases && !refused; ++i) {
        const struct lab_case *c = &drawn.cases[i];
        if (!(c->flags & CASE_SPEED) && cases >> place & 1 && kernel_run_has_case(kind, c, 0)) {
            kernel_run_orders(p, i);
            tried->right |= (uint64_t)(p->item[i].result == CASE_RIGHT) << place;
            for (int k = 0; k < LAB_KERNELS; ++k)
                for (int axis = 0; axis < 3; ++axis)
                    if (p->item[i].grid[k][axis] > tried->grid[k][axis])
                        tried->grid[k][axis] = p->item[i].grid[k][axis];
        }
        place += !(c->flags & CASE_SPEED);
    }
    for (uint32_t i = 0; i < p->findings.count; ++i) verdict_findings_add(findings, &p->findings.item[i]);
    kernel_run_free(p);
    free(p);
    return refused;
}
