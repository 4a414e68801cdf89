// Runs several worker processes (worker.h) at the same time on this machine. A batch on this machine and each task of a
// cluster job use a pool of workers.
#ifndef BATCH_GRADING_WORKER_POOL_H
#define BATCH_GRADING_WORKER_POOL_H

#include "batch/book/gradebook.h"
#include "batch/grading/worker.h"
#include "judge/judge.h"

// Settings of a pool.
struct pool {
    uint32_t jobs; // maximum number of workers that run at the same time
    // Callback that sets the lab, the baseline and the thresholds of the job for each submission. The pool itself sets
    // the job's source and name.
    void (*prepare)(void *, const struct lab *, struct judge_job *);
    void *data;
    struct judge_job job; // template with the other fields of every job
};
// One submission to judge.
struct pool_work {
    const struct gradebook_work *work;
    struct text source; // text of the source; empty if the source is too large to grade
    size_t bytes;
};
// Holds the callbacks that give submissions to the pool and take results from the pool.
struct pool_callbacks {
    // Sets the next work and returns 1, returns 0 if there is no more work, or returns -1 if there is none at the
    // moment. The pool becomes the owner of the text `source` in struct pool_work.
    int (*next)(void *, struct pool_work *);
    // Takes the result of one work. The pool calls done() in order of completion and frees the result afterwards.
    void (*done)(void *, const struct gradebook_work *, const struct worker_result *);
    void *data;
};
// Judges all submissions that the callback next() returns, and returns when the last worker has ended.
void worker_pool_run(const struct pool *, const struct pool_callbacks *);
// Judges one source in a worker process, and waits until the worker has ended. The caller frees the result with
// worker_result_free().
void worker_pool_judge(const struct pool *, struct pool_work *, struct worker_result *);

#endif
