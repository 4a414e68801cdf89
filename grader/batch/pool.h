// Workers side by side on this machine: who else hands out submissions (a batch, or a cluster's task) has them judged
// here.
#ifndef BATCH_POOL_H
#define BATCH_POOL_H

#include "batch/gradebook.h"
#include "batch/worker.h"
#include "judge/judge.h"

struct pool {
    uint32_t jobs; // workers at a time
    // Sets what of a job depends on the lab: lab, baseline, thresholds. Source and name are the pool's.
    void (*prepare)(void *, const struct lab *, struct judge_job *);
    void *data;
    struct judge_job job; // all else
};
struct pool_work {
    const struct gradebook_work *work;
    struct text source; // empty when it is too large to be kept
    size_t bytes;
};
// Where work comes from and results go.
struct pool_callbacks {
    int (*next)(void *, struct pool_work *); // 1; or 0: there is no more. The source is the pool's from then on
    void (*done)(void *, const struct gradebook_work *, const struct worker_result *);
    void *data;
};
void pool_run(const struct pool *, const struct pool_callbacks *);
// Judges one source as a worker. Free the result.
void pool_judge(const struct pool *, struct pool_work *, struct worker_result *);

#endif
