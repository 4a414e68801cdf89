// See page.h.
#include "cli/page.h"

#include "cli/job.h"
#include "cli/screen.h"
#include "report/explain.h"
#include "report/report.h"

void cli_page_write(const struct cli_paths *paths, const struct verdict *v, int own, const char *path)
{
    static struct report_attempt attempt[CLI_ATTEMPTS];
    struct look again = {.nkernels = 0}, reference = {.nkernels = 0};
    struct explain mine, theirs;
    struct text why = {0}, source = {0}, out = {0};
    struct report_page page = {.attempt = attempt};
    const struct judge_job *job = v->job;
    int seen = v->look.nkernels || (v->stage == STAGE_RUN && !job->lab->host && !judge_look(job, &again, &why));
    if (seen) {
        explain_make(&mine, v->look.nkernels ? &v->look : &again, job->source, job->bytes);
        page.explain = &mine;
    }
    if (own) page.attempts = cli_record_attempts(paths, job->lab, attempt);
    int passed = v->passed || (own && cli_record_get(paths, job->lab).passed);
    int both = seen && passed && cli_job_reference(paths, job, &source, &reference);
    if (both) {
        explain_make(&theirs, &reference, source.data, source.length);
        page.reference = &theirs;
    }
    report_html(v, &page, &out);
    cli_screen_write(&out, path);
    if (both) explain_free(&theirs);
    if (seen) explain_free(&mine);
    look_free(&again);
    look_free(&reference);
    text_free(&why);
    text_free(&source);
    text_free(&out);
}
