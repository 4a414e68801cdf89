// Runs workers. Each report shows the lab's file name as the name of the submission. A report must not depend on a
// submission's path or author, because equal sources are judged only once.
#define _GNU_SOURCE
#include "batch/grading/worker_pool.h"

#include <stdio.h>
#include <time.h>

#include "base/text.h"

enum { JOBS_MOST = 256 };
static const struct timespec NAP = {.tv_nsec = 5000000}, LONG_NAP = {.tv_nsec = 100000000};

// Holds one worker process and the work that the worker judges.
struct place {
    struct worker worker;
    const struct gradebook_work *work;
};

static void start(const struct pool *pool, struct worker *worker, struct pool_work *w)
{
    struct judge_job job = pool->job;
    char shown[64];
    pool->prepare(pool->data, lab_find(w->work->lab), &job);
    snprintf(shown, sizeof shown, "%s.cu", job.lab->slug);
    job.source = w->source.data ? w->source.data : "";
    job.bytes = w->bytes;
    job.shown = shown;
    worker_start(worker, &job);
    text_free(&w->source);
}

void worker_pool_run(const struct pool *pool, const struct pool_callbacks *ends)
{
    struct place place[JOBS_MOST] = {{{0}, NULL}};
    uint32_t jobs = pool->jobs < JOBS_MOST ? pool->jobs : JOBS_MOST, running = 0;
    for (int more = 1; more || running;) {
        int ended = 0, wait = 0;
        for (uint32_t i = 0; i < jobs; ++i) {
            struct place *p = &place[i];
            struct worker_result r;
            if (p->worker.pid && worker_poll(&p->worker, &r)) {
                ends->done(ends->data, p->work, &r);
                worker_result_free(&r);
                --running, ended = 1;
            }
            struct pool_work w = {0};
            if (p->worker.pid || !more || wait || !(more = ends->next(ends->data, &w))) continue;
            wait = more < 0;
            if (wait) continue;
            p->work = w.work;
            start(pool, &p->worker, &w);
            ++running;
        }
        if (!ended && (running || wait)) nanosleep(running ? &NAP : &LONG_NAP, NULL);
    }
}

void worker_pool_judge(const struct pool *pool, struct pool_work *w, struct worker_result *r)
{
    struct worker worker;
    start(pool, &worker, w);
    while (!worker_poll(&worker, r)) nanosleep(&NAP, NULL);
}
