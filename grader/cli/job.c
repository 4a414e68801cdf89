// See job.h. Commands that look at a file without judging it start here.
#include "cli/job.h"

#include "base/die.h"

void cli_job_make(struct cli_job *j, const struct cli_options *options, const struct lab *lab, const char *given)
{
    struct text why = {0};
    *j = (struct cli_job){.runner = {NULL, NULL}};
    cli_paths_find(&j->paths);
    cli_submission_read(&j->submission, &j->paths, lab, given);
    if (compile_find(options->compiler, &j->compiler, &why)) die("%s", why.data);
    j->runner[0] = j->paths.runner;
    j->judge = (struct judge_job){.lab = lab,
                                  .source = j->submission.source.data ? j->submission.source.data : "",
                                  .bytes = j->submission.bytes,
                                  .shown = j->submission.shown,
                                  .compiler = &j->compiler,
                                  .kit = j->paths.kit,
                                  .runner = j->runner,
                                  .device = options->device,
                                  .seed = options->seed,
                                  .threads = options->threads,
                                  .open = options->no_sandbox};
}

void cli_job_free(struct cli_job *j)
{
    text_free(&j->submission.source);
}
