// A lab's file, compiler and runner, put together as a job for the judge.
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/cli.h"
#include "judge/judge.h"

// A job and all that it points to.
struct cli_job {
    struct cli_paths paths;
    struct cli_submission submission;
    struct compiler compiler;
    const char *runner[2];
    char main[2 * CLI_PATH];
    struct judge_job judge; // points into this struct, so the struct must not be moved
};
// Prepares a job on the simulator. `given` is as in cli_submission_read(). Dies if a part is missing. Free with
// cli_job_free().
void cli_job_make(struct cli_job *, const struct cli_options *, const struct lab *, const char *given);
// Profiles the speed case of the lab's reference under the conditions of a job. Returns 1, or 0 if this kit has no
// reference. The profile points into `source`, the text of the reference.
int cli_job_reference(const struct cli_paths *, const struct judge_job *, struct text *source, struct profile *);
// Dies if a host lab cannot run on the device that the options name.
void cli_job_check_host(const struct cli_options *, const struct lab *);
void cli_job_free(struct cli_job *);

#endif
