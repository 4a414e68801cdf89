// Prepares jobs for the judge, for commands that compile and run a submission without grading it.
#include "cli/job.h"

#include <stdio.h>

#include "base/die.h"
#include "base/text.h"
#include "judge/kernel/kernel_profile.h"

void cli_job_make(struct cli_job *j, const struct cli_options *options, const struct lab *lab, const char *given)
{
    *j = (struct cli_job){.runner = {NULL, NULL}};
    cli_paths_find(&j->paths);
    cli_submission_read(&j->submission, &j->paths, lab, given);
    cli_compiler_find(options, &j->compiler);
    j->runner[0] = j->paths.runner;
    snprintf(j->main, sizeof j->main, "%s/labs/%s/main.h", j->paths.root, lab->slug);
    j->judge = (struct judge_job){.lab = lab,
                                  .source = j->submission.source.data ? j->submission.source.data : "",
                                  .bytes = j->submission.bytes,
                                  .shown = j->submission.shown,
                                  .compiler = &j->compiler,
                                  .kit = j->paths.kit,
                                  .runner = j->runner,
                                  .main = j->main,
                                  .cudart = j->paths.cudart,
                                  .device = options->device,
                                  .seed = options->seed,
                                  .threads = options->threads,
                                  .open = options->no_sandbox};
}

void cli_job_free(struct cli_job *j)
{
    text_free(&j->submission.source);
}

int cli_job_reference(const struct cli_paths *paths, const struct judge_job *job, struct text *source,
                      struct profile *profile)
{
    char path[2 * CLI_PATH];
    struct text why = {0};
    struct judge_job other = *job;
    if (!cli_reference_path(paths, job->lab, path, sizeof path) || text_read_file(source, path, COMPILE_MOST)) return 0;
    other.source = source->data;
    other.bytes = source->length;
    other.shown = path;
    if (kernel_profile(&other, profile, &why)) die("the reference '%s' does not run: %s", path, why.data);
    return 1;
}
