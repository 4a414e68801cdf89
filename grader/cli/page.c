// Writes the judge's verdict on a submission as an HTML page. A verdict has no profile (the costs of source lines) if
// grading stopped before the test case that measures speed. If the verdict has no profile, cli_page_write() runs the
// test case that measures speed.
#include "cli/page.h"

#include "base/text.h"
#include "cli/job.h"
#include "cli/output.h"
#include "judge/host/host_grade.h"
#include "judge/kernel/kernel_profile.h"
#include "judge/kernel/kernel_step.h"
#include "report/explain.h"
#include "report/page/html.h"
#include "report/report.h"

struct seen {
    struct profile profile; // profile that see_kernels() made; empty: the verdict has a profile
    struct verdict program; // verdict that see_program() made for host code
    struct explain explain;
};

// Profiles the submission's kernels if the verdict has no profile. Returns 1 if a profile of the kernels is available.
static int see_kernels(struct seen *s, const struct verdict *v)
{
    struct text why = {0};
    int seen = v->profile.nkernels || !kernel_profile(v->job, &s->profile, &why);
    if (seen) explain_make(&s->explain, v->profile.nkernels ? &v->profile : &s->profile, v->job->source, v->job->bytes);
    text_free(&why);
    return seen;
}
static int see_program(struct seen *s, const struct verdict *v)
{
    struct text why = {0};
    const struct lab_timeline *t = v->program.timeline;
    if (!t && !host_profile(v->job, &s->program, &why)) t = s->program.program.timeline;
    if (t) explain_make_calls(&s->explain, t, v->job->source, v->job->bytes);
    text_free(&why);
    return t != NULL;
}

// Records the block of the first finding. Returns 1 if the recording shows a finding.
static int see_step(struct verdict_step *step, const struct verdict *v)
{
    static const struct kernel_step_request choose;
    struct text why = {0};
    int seen = v->ndefects && v->unoptimised.length && !v->job->lab->host &&
               !kernel_step_image(v->job, &v->unoptimised, &choose, step, &why) && step->nshown;
    text_free(&why);
    return seen;
}

void cli_page_write(const struct cli_paths *paths, const struct verdict *v, int own, const char *path)
{
    static struct report_attempt attempt[CLI_ATTEMPTS];
    static struct seen mine;
    static struct verdict_step step;
    struct profile reference = {.nkernels = 0};
    struct explain theirs;
    struct text source = {0}, out = {0};
    struct report_page page = {.attempt = attempt};
    const struct judge_job *job = v->job;
    int seen = v->stage == STAGE_RUN && (job->lab->host ? see_program : see_kernels)(&mine, v);
    if (seen) page.explain = &mine.explain;
    if (own) page.attempts = cli_record_attempts(paths, job->lab, attempt);
    int passed = v->passed || (own && cli_record_get(paths, job->lab).passed);
    int both = seen && passed && !job->lab->host && cli_job_reference(paths, job, &source, &reference);
    if (both) {
        explain_make(&theirs, &reference, source.data, source.length);
        page.reference = &theirs;
    }
    if (see_step(&step, v)) page.step = &step;
    report_html(v, &page, &out);
    cli_output_write(&out, path);
    verdict_step_free(&step);
    if (both) explain_free(&theirs);
    if (seen) explain_free(&mine.explain);
    profile_free(&mine.profile);
    verdict_free(&mine.program);
    profile_free(&reference);
    text_free(&source);
    text_free(&out);
}
