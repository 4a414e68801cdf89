// Runs several workers at a time on this machine. Batches and cluster tasks use it.
#ifndef BATCH_POOL_H
#define BATCH_POOL_H

#include "batch/gradebook.h"
#include "batch/worker.h"
#include "judge/judge.h"

// How a pool judges.
struct pool {
    uint32_t jobs; // workers at a time
    // Called for each submission to set the fields of the job that depend on the lab: lab, baseline, thresholds. The
    // pool sets source and name.
    void (*prepare)(void *, const struct lab *, struct judge_job *);
    void *data;
    struct judge_job job; // the other fields of every job
};
// One submission to judge.
struct pool_work {
    const struct gradebook_work *work;
    struct text source; // empty if the source is too large to grade
    size_t bytes;
};
// Where work comes from and where results go.
struct pool_callbacks {
    // Sets the next work and returns 1, or returns 0 if there is no more. The pool then owns the source.
    int (*next)(void *, struct pool_work *);
    // Called with the result of each work, in order of completion. The pool frees the result.
    void (*done)(void *, const struct gradebook_work *, const struct worker_result *);
    void *data;
};
// Judges all work and returns when the last worker has ended.
void pool_run(const struct pool *, const struct pool_callbacks *);
// Judges one source in a worker and waits. Free the result with worker_result_free().
void pool_judge(const struct pool *, struct pool_work *, struct worker_result *);

#endif
