// Grades the submissions in a gradebook on this machine. Worker processes judge the submissions, and only the parent
// process writes the gradebook. Each submission's result is written in a separate SQLite transaction, which is
// committed before the next worker starts. A batch that is killed therefore loses only the submissions that workers are
// judging at that moment.
//
// Two processes "./grade batch" may grade the same gradebook at the same time. Before starting a worker for a
// submission, a batch checks whether the gradebook already has a result of this submission. A batch derives its
// starting position in the list of submissions from its process number, so two batches rarely judge the same
// submission. If two batches judge the same submission, the gradebook keeps the first result. If the simulator judges
// one submission twice, both results are identical.
#define _GNU_SOURCE
#include "batch/batch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/message.h"

// Lists the submissions that a batch must grade. A batch grades the elements of `work` from index `first` to the end,
// and then continues at index 0.
struct list {
    struct batch *batch;
    struct gradebook_work *work;
    uint32_t count, first, next;
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
    } else {
        gradebook_put_failure(b->gradebook, &b->key, w, r->message.data);
        ++b->failed;
        progress_fail(&b->progress, w->lab);
    }
    progress_step(&b->progress, NULL);
}

static int next(void *data, struct pool_work *out)
{
    struct list *l = data;
    while (l->next < l->count) {
        const struct gradebook_work *w = &l->work[(l->first + l->next++) % l->count];
        if (!gradebook_is_run(l->batch->gradebook, &l->batch->key, w)) {
            out->work = w;
            gradebook_source(l->batch->gradebook, w->source, &out->source, &out->bytes);
            return 1;
        }
        progress_step(&l->batch->progress, NULL); // another batch has graded this submission
    }
    return 0;
}

static void done(void *data, const struct gradebook_work *w, const struct worker_result *r)
{
    batch_record(((struct list *)data)->batch, w, r);
}

void batch_run(struct batch *b, const struct pool *pool)
{
    struct list l = {.batch = b};
    struct pool_callbacks ends = {next, done, &l};
    batch_counts(b);
    fflush(stdout);
    l.count = gradebook_work(b->gradebook, &b->key, b->labs, &l.work);
    l.first = l.count ? (uint32_t)getpid() * 2654435761u % l.count : 0;
    b->progress = progress_long("batch", (int)l.count);
    pool_run(pool, &ends);
    progress_end(&b->progress);
    free(l.work);
}
