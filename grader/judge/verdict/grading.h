// A grading in progress: what to grade, the verdict that it fills, and its progress.
#ifndef JUDGE_VERDICT_GRADING_H
#define JUDGE_VERDICT_GRADING_H

#include <pthread.h>

#include "judge/verdict/verdict.h"

struct grading {
    const struct judge_job *job;
    struct verdict *verdict; // the caller's
    pthread_mutex_t step_lock;
};

// Begins a grading with an empty verdict on the job. End it.
void grading_begin(struct grading *, const struct judge_job *, struct verdict *);
// Reports one step of progress; any thread may.
void grading_step(struct grading *, const char *what);
void grading_end(struct grading *);

#endif
