// What a command needs to have a lab's file compiled and run: found, read, and put together as a job.
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/cli.h"
#include "judge/judge.h"

struct cli_job {
    struct cli_paths paths;
    struct cli_submission submission;
    struct compiler compiler;
    const char *runner[2];
    char main[2 * CLI_PATH];
    struct judge_job judge; // points into this struct, which therefore must not move
};
// The lab's file as for cli_submission_read, on the simulator. Dies when something is not there.
void cli_job_make(struct cli_job *, const struct cli_options *, const struct lab *, const char *given);
// The speed case of the lab's reference, in the circumstances of a job. 1; or 0: this kit has no reference. `source` is
// its text, which what explains it points into.
int cli_job_reference(const struct cli_paths *, const struct judge_job *, struct text *source, struct look *);
// Dies where that host lab cannot be run on the chosen device.
void cli_job_check_host(const struct cli_options *, const struct lab *);
void cli_job_free(struct cli_job *);

#endif
