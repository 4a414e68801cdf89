// One process keeps the book and starts workers; each result goes into the book in a transaction of its own before the
// next worker starts, so that a batch that is killed has lost what was in flight and nothing else. A batch that works
// on the same book at the same time is noticed before a worker starts, and each begins at another place of the list; if
// both are at it already, the first result stays, and the second is the same.
//
// A report names the submission by the lab's own file name: it must not depend on where the source lay or whose it is,
// because equal sources are judged once.
#define _GNU_SOURCE
#include "batch/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/progress.h"

enum { JOBS_MOST = 256 };
static const struct timespec NAP = {.tv_nsec = 5000000};

struct place { // of a worker
    struct worker worker;
    const struct book_work *work;
};

static void start(struct batch *b, struct worker *w, const struct book_work *work)
{
    struct judge_job job = b->job;
    struct text source = {0};
    char shown[64];
    b->prepare(b->data, lab_find(work->lab), &job);
    book_source(b->book, work->source, &source, &job.bytes);
    snprintf(shown, sizeof shown, _("%s.cu"), job.lab->slug);
    job.source = source.data ? source.data : "";
    job.shown = shown;
    worker_start(w, &job);
    text_free(&source);
}

// 1 when the worker had ended.
static int collect(struct batch *b, struct place *p, struct progress *progress)
{
    struct worker_result r;
    if (!worker_poll(&p->worker, &r)) return 0;
    if (r.graded) {
        struct book_run run = {r.report.data, r.text.data, r.html.data, &r.ptx, r.seconds};
        book_put_run(b->book, &b->key, p->work, &run);
        ++b->graded;
    } else {
        book_put_failure(b->book, &b->key, p->work, r.message.data);
        ++b->failed;
        progress_fail(progress, p->work->lab);
    }
    progress_step(progress, NULL);
    worker_result_free(&r);
    return 1;
}

void batch_run(struct batch *b)
{
    struct place place[JOBS_MOST] = {{{0}, NULL}};
    struct book_work *work;
    uint32_t count = book_work(b->book, &b->key, b->labs, &work), next = 0, running = 0;
    uint32_t jobs = b->jobs < JOBS_MOST ? b->jobs : JOBS_MOST;
    uint32_t first = count ? (uint32_t)getpid() * 2654435761u % count : 0;
    struct progress progress = progress_long("batch", (int)count);
    while (next < count || running) {
        int ended = 0;
        for (uint32_t i = 0; i < jobs; ++i) {
            struct place *p = &place[i];
            if (p->worker.pid && collect(b, p, &progress)) --running, ended = 1;
            if (p->worker.pid || next == count) continue;
            const struct book_work *w = &work[(first + next++) % count];
            if (book_is_run(b->book, &b->key, w)) { // by another batch, meanwhile
                progress_step(&progress, NULL);
                continue;
            }
            p->work = w;
            start(b, &p->worker, w);
            ++running;
        }
        if (!ended && running) nanosleep(&NAP, NULL);
    }
    progress_end(&progress);
    free(work);
}

void batch_replay(struct batch *b, const struct book_work *work, struct worker_result *r)
{
    struct worker w;
    start(b, &w, work);
    while (!worker_poll(&w, r)) nanosleep(&NAP, NULL);
}
