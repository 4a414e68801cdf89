// Grades a submission with the functions of host/ if the lab is a host lab, else with the functions of kernel/. Also
// computes the score and the advice on what the student should do next, for which it may try repairs.
#include "judge/judge.h"

#include "judge/host/host_grade.h"
#include "judge/kernel/kernel.h"
#include "judge/repair/repair.h"
#include "judge/repair/source.h"

int judge_steps(const struct lab *lab, int coverage)
{
    return lab->host ? host_steps(lab) : kernel_steps(lab, coverage);
}

// Returns the line of a kernel's definition, or 0 if the source has none.
static uint32_t definition_of(const struct source *s, const char *kernel)
{
    for (uint32_t t = 0; t + 1 < s->count; ++t)
        if (source_is(s, t, kernel) && source_is(s, t + 1, "(") && source_is(s, s->token[t + 1].mate + 1, "{"))
            return s->token[t].line;
    return 0;
}

// Sets the field `definition` of each finding. In a source without a kernel of the lab, such as a host program, it is
// the first line.
static void find_definitions(struct verdict *v)
{
    struct bundle b = judge_job_bundle(v->job);
    struct source s;
    uint32_t last = 0;
    if (!v->findings.count) return;
    source_split(&s, b.text, b.bytes);
    for (int k = 0; k < LAB_KERNELS && v->job->lab->kernel[k]; ++k) {
        uint32_t line = definition_of(&s, v->job->lab->kernel[k]);
        last = line ? line : last;
    }
    for (uint32_t i = 0; i < v->findings.count; ++i) {
        struct verdict_finding *f = &v->findings.item[i];
        f->definition = definition_of(&s, f->kernel);
        if (!f->definition) f->definition = last ? last : 1;
    }
    source_free(&s);
}

// Grades with a copy of the lab in which the sizes of the hidden test cases are drawn at random (struct lab_drawn). The
// copy of the lab exists only during the call, so judge_grade() finally makes the verdict refer to the original lab,
// job->lab.
void judge_grade(const struct judge_job *job, struct verdict *v)
{
    struct grading g;
    struct lab_drawn drawn;
    struct judge_job own = *job;
    judge_job_draw(job, &drawn);
    own.lab = &drawn.lab;
    grading_begin(&g, &own, v);
    if (job->lab->host)
        host_grade(&g);
    else
        kernel_grade(&g);
    grading_end(&g);
    for (uint32_t i = 0; i < v->ncases; ++i) v->item[i].which = job->lab->cases + (v->item[i].which - drawn.cases);
    v->job = job;
    for (uint32_t i = 0; i < v->findings.count; ++i)
        if (v->findings.item[i].job) v->findings.item[i].job = job; // `own` ends here
    verdict_hide(v);
    verdict_findings_trace(&v->findings);
    find_definitions(v);
    verdict_score(v);
    verdict_next(v);
    if (job->graded) job->graded(job->step_data, v);
    if (job->repairs) repair_find(job, v, job->repaired);
}
