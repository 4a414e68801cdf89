// Combines a lab's file, compiler and runner into a job for the judge.
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/cli.h"
#include "judge/judge.h"

// A judge's job, and all data that the job points to.
struct cli_job {
    struct cli_paths paths;
    struct cli_submission submission;
    struct compiler compiler;
    const char *runner[2];
    char main[2 * CLI_PATH];
    struct judge_job judge; // contains pointers into this struct, so the caller must not move the struct
};
// Prepares a job that runs on the simulator. `given` has the meaning that cli_submission_read() documents. Dies if a
// file, the compiler or the runner is missing. The caller frees the job with cli_job_free().
void cli_job_make(struct cli_job *, const struct cli_options *, const struct lab *, const char *given);
// Profiles the speed case of the lab's reference with the settings of `job`. Returns 1, or 0 if this kit has no
// reference. The profile points into `source`, which receives the text of the reference.
int cli_job_reference(const struct cli_paths *, const struct judge_job *, struct text *source, struct profile *);
// Dies if the lab is a host lab and cannot run on the device that the options name.
void cli_job_check_host(const struct cli_options *, const struct lab *);
void cli_job_free(struct cli_job *);

#endif
