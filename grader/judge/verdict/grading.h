// Defines the state of one grading in progress: the job, the verdict that the grading fills, and a lock for progress
// reports.
#ifndef JUDGE_VERDICT_GRADING_H
#define JUDGE_VERDICT_GRADING_H

#include <pthread.h>

#include "judge/verdict/verdict.h"

struct grading {
    const struct judge_job *job;
    struct verdict *verdict; // owned by the caller
    pthread_mutex_t step_lock;
};

// Clears the verdict and begins a grading of the job. End the grading with grading_end().
void grading_begin(struct grading *, const struct judge_job *, struct verdict *);
// Reports one step of progress to job->step. Any thread may call grading_step().
void grading_step(struct grading *, const char *what);
// Ends a grading. The verdict stays valid.
void grading_end(struct grading *);

#endif
