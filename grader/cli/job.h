// Combines a submission's file, the compiler and the runner (the simulator program) into a job for the judge.
#ifndef CLI_JOB_H
#define CLI_JOB_H

#include "cli/cli.h"
#include "judge/judge.h"

// Holds a job for the judge, and all data that the job points to.
struct cli_job {
    struct cli_paths paths;
    struct cli_submission submission;
    struct compiler compiler;
    const char *runner[2];
    char main[2 * CLI_PATH];
    struct judge_job judge; // contains pointers into this struct, so the caller must not move the struct
};
// Prepares a job with which the judge runs a submission on the simulator. `given` is the submission's file, a directory
// that contains the lab's file, or NULL for the student's folder. Dies if a file, the compiler or the runner is
// missing. The caller frees the job with cli_job_free().
void cli_job_make(struct cli_job *, const struct cli_options *, const struct lab *, const char *given);
// Profiles the lab's reference solution on the test case that measures speed, with the settings of `job`. Returns 1, or
// 0 if the autograder's repository contains no reference solution for the lab. `source` receives the text of the
// reference solution. Pointers in the struct profile refer to the text in `source`, so the caller keeps `source` as
// long as the profile.
int cli_job_reference(const struct cli_paths *, const struct judge_job *, struct text *source, struct profile *);
void cli_job_free(struct cli_job *);

#endif
