// Grades the submissions in a gradebook on this machine. Worker processes judge the submissions, and only the parent
// process writes the gradebook. Each submission's result is written in a separate SQLite transaction, which is
// committed before the next worker starts. A batch that is killed therefore loses only the submissions that workers are
// judging at that moment.
//
// Several processes "./grade batch" may grade the same gradebook at the same time. A batch claims a submission
// (claim.h), then checks whether the gradebook already has its result, judges it, records the result, and ends the
// claim. It comes back to a submission that another batch has claimed, because that batch may be killed. A batch
// derives its starting position in the list of submissions from its process number, so two batches rarely want the same
// submission.
#define _GNU_SOURCE
#include "batch/grading/batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/message.h"
#include "batch/grading/claim.h"
#include "batch/unpack/timestamp.h"

// Lists the submissions that a batch must grade. The array `open` holds the indices of those that no worker of this
// batch has begun.
struct list {
    struct batch *batch;
    struct gradebook_work *work;
    uint32_t *open, opens, at; // `at`: position in `open` at which the search goes on
    struct claim claim;
    int64_t began; // seconds since 1970
    int said;      // 1: it was said that another batch runs
};

// If the present marks come from the simulator, students may know the marks already, so no mark may fall. A speed
// measured on a card may earn fewer points than the simulated speed of the same submission. Speeds measured on a card
// therefore change the marks only after ./grade merge, which never lowers a mark.
void batch_counts(struct batch *b)
{
    const struct gradebook_key *key = &b->key;
    char known[160], seed[32];
    snprintf(seed, sizeof seed, "%" PRId64, key->seed);
    const char *profile = gradebook_get(b->gradebook, "profile", known, sizeof known);
    size_t device = strcspn(key->profile, ",");
    int measured = key->profile[device] != '\0';
    if (profile && measured && !strchr(profile, ',') && strlen(profile) == device &&
        !strncmp(profile, key->profile, device)) {
        puts(_("marks stay those of the simulator until './grade merge'"));
        return;
    }
    gradebook_set(b->gradebook, "tool", key->tool);
    gradebook_set(b->gradebook, "profile", key->profile);
    gradebook_set(b->gradebook, "seed", seed);
}

void batch_record(struct batch *b, const struct gradebook_work *w, const struct worker_result *r)
{
    if (r->graded) {
        struct gradebook_run run = {r->report.data, r->text.data, &r->html, &r->ptx, r->seconds};
        gradebook_put_run(b->gradebook, &b->key, w, &run);
        ++b->graded;
        b->submissions += gradebook_attempts_of(b->gradebook, w);
    } else {
        gradebook_put_failure(b->gradebook, &b->key, w, r->message.data);
        ++b->failed;
        progress_fail(&b->progress, w->lab);
    }
    progress_step(&b->progress, NULL);
}

// Says once that another batch grades the gradebook.
static void say_other(struct list *l)
{
    pid_t other = l->said ? 0 : claim_other(&l->claim);
    if (!other) return;
    if (other > 0)
        printf(_("another batch grades this gradebook, too: process %d\n"), (int)other);
    else
        puts(_("another batch grades this gradebook, too, on another machine"));
    fflush(stdout);
    l->said = 1;
}

static int next(void *data, struct pool_work *out)
{
    struct list *l = data;
    struct batch *b = l->batch;
    for (uint32_t tries = l->opens; tries; --tries) {
        if (l->at >= l->opens) l->at = 0;
        const struct gradebook_work *w = &l->work[l->open[l->at]];
        if (!claim_take(&l->claim, w)) {
            ++l->at;
            continue;
        }
        memmove(&l->open[l->at], &l->open[l->at + 1], (--l->opens - l->at) * sizeof *l->open);
        if (!gradebook_is_tried(b->gradebook, &b->key, w, l->began)) {
            out->work = w;
            gradebook_source(b->gradebook, w->source, &out->source, &out->bytes);
            return 1;
        }
        claim_release(&l->claim, w); // another batch has tried this submission
        progress_step(&b->progress, NULL);
    }
    if (l->opens) say_other(l);
    return l->opens ? -1 : 0;
}

static void done(void *data, const struct gradebook_work *w, const struct worker_result *r)
{
    struct list *l = data;
    batch_record(l->batch, w, r);
    claim_release(&l->claim, w);
}

void batch_run(struct batch *b, const struct pool *pool)
{
    struct list l = {.batch = b, .began = timestamp_now()};
    struct pool_callbacks ends = {next, done, &l};
    batch_counts(b);
    claim_open(&l.claim, gradebook_path(b->gradebook));
    l.opens = gradebook_work(b->gradebook, &b->key, b->labs, &l.work);
    l.open = alloc_zeroed(l.opens + 1, sizeof *l.open);
    uint32_t first = l.opens ? (uint32_t)getpid() * 2654435761u % l.opens : 0;
    for (uint32_t i = 0; i < l.opens; ++i) l.open[i] = (first + i) % l.opens;
    if (l.opens) say_other(&l);
    fflush(stdout);
    b->progress = progress_long("batch", (int)l.opens);
    worker_pool_run(pool, &ends);
    progress_end(&b->progress);
    claim_close(&l.claim);
    free(l.open);
    free(l.work);
}
