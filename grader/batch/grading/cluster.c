// Grades the submissions of a class on a Slurm cluster. The batch writes the sources and a list of the submissions into
// a shared folder, the spool, and submits a Slurm job array. Task i of the job array's k tasks judges every k'th
// submission of the list, beginning with submission i. Before a task judges a submission, the task records in the spool
// that the submission was begun. A task writes each result to a spool file with a temporary name, and then renames the
// complete file to its final name. The batch repeatedly searches the spool for result files and writes new results into
// the gradebook. From time to time, the batch asks Slurm whether the job array has ended.
//
// Only a result file in the spool shows that a submission was judged. Slurm's answer about the job shows only whether
// the batch must continue to wait and why results are missing. If the Slurm job has ended and results are missing, the
// batch submits another job for the submissions without results. A submission that tasks began three times without a
// result is recorded as a failure, because it may be what crashes the tasks. If no task of a job began a submission,
// the nodes probably cannot access the spool folder. The batch repeats a job that began no submission only if Slurm
// took the nodes from the job, or if an earlier batch submitted the job.
//
// If the user stops a batch, its Slurm job keeps running, and the next batch with the same spool waits for this job.
// Only a task on a node knows with which compiler and card the node grades. The first task of a job writes its
// compiler, card and seed into the spool file `key`. A task whose compiler, card or seed differs from the spool file
// `key` refuses to judge.
#define _GNU_SOURCE
#include "batch/grading/cluster.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"

enum {
    TRIES = 3, // maximum number of attempts to judge a submission, and of jobs in a row that begin no submission
    SUBMISSIONS_PER_TASK = 4, // number of submissions for each task, if the user does not give the number of tasks
    TASKS_MOST = 32,          // maximum number of tasks, if the user does not give the number of tasks
};
static const double NAP_MOST_S = 5, QUERY_MOST_S = 15, SETTLE_S = 2;

struct run {
    struct batch *batch;
    struct cluster *cluster;
    struct spool_item *item;
    char *settled; // 1 for each item that has a result or a failure
    uint32_t count, open;
    int known; // 1: a task has reported the key
    uint32_t news;
};

static void nap(double seconds)
{
    nanosleep(&(struct timespec){(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)}, NULL);
}

// Locks the spool folder so that only one batch at a time uses the spool. Dies if another batch holds the lock. The
// function lock() does nothing on a file system that does not support flock().
static void lock(const struct spool *s)
{
    char path[sizeof s->path + 8];
    snprintf(path, sizeof path, "%s/lock", s->path);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) die("cannot write '%s': %s", path, strerror(errno));
    if (flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK)
        die("another './grade batch --slurm' watches '%s' already", s->path);
}

// ------------------------------------------------------------------------------------------------- collecting results
static int compare(const void *a, const void *b)
{
    const struct gradebook_work *x = &((const struct spool_item *)a)->work, *y = &((const struct spool_item *)b)->work;
    int order = strcmp(x->source, y->source);
    return order ? order : strcmp(x->lab, y->lab);
}

static void settle(struct run *r, struct spool_item *i, const struct worker_result *result)
{
    batch_record(r->batch, &i->work, result);
    spool_forget(&r->cluster->spool, &i->work);
    r->settled[i - r->item] = 1;
    --r->open;
    ++r->news;
}

static void gather_one(void *data, const struct gradebook_work *w)
{
    struct run *r = data;
    struct spool_item key = {.work = *w};
    struct worker_result result;
    struct spool_item *i = bsearch(&key, r->item, r->count, sizeof *i, compare);
    if (i && r->settled[i - r->item]) i = NULL;
    if (!i && gradebook_is_tried(r->batch->gradebook, &r->batch->key, w, INT64_MAX))
        spool_forget(&r->cluster->spool, w);
    if (!i || !spool_get_result(&r->cluster->spool, w, &result)) return;
    settle(r, i, &result);
    worker_result_free(&result);
}

// Writes the new results in the spool into the gradebook. Returns the number of new results.
static uint32_t gather(struct run *r)
{
    r->news = 0;
    if (!r->known && spool_get_key(&r->cluster->spool, &r->batch->key)) {
        r->known = 1;
        batch_counts(r->batch);
    }
    if (r->known) spool_results(&r->cluster->spool, gather_one, r);
    return r->news;
}

// ----------------------------------------------------------------------------------------------------- submitting jobs
static uint32_t begun(const struct run *r)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < r->count; ++i)
        if (!r->settled[i]) sum += spool_begun(&r->cluster->spool, &r->item[i].work);
    return sum;
}

static void write_script(const struct cluster *c, char path[4096])
{
    snprintf(path, 4096, "%s/job.sh", c->spool.path);
    FILE *f = fopen(path, "w");
    if (!f) die("cannot write '%s': %s", path, strerror(errno));
    fprintf(f, "#!/bin/sh\n%s . \"$SLURM_ARRAY_TASK_ID\" \"$SLURM_ARRAY_TASK_COUNT\"\n", c->task);
    if (fclose(f)) die("cannot write '%s': %s", path, strerror(errno));
}

static int64_t hand_out(struct run *r)
{
    struct cluster *c = r->cluster;
    struct spool_item *list = alloc_array(r->open + 1, sizeof *list);
    struct text why = {0};
    char script[4096];
    uint32_t n = 0, most = slurm_array_most();
    for (uint32_t i = 0; i < r->count; ++i) {
        if (r->settled[i]) continue;
        struct text source = {0};
        gradebook_source(r->batch->gradebook, r->item[i].work.source, &source, &r->item[i].bytes);
        spool_put_source(&c->spool, &r->item[i].work, &source);
        list[n++] = r->item[i];
        text_free(&source);
    }
    spool_set_list(&c->spool, list, n);
    free(list);
    uint32_t wanted = (n + SUBMISSIONS_PER_TASK - 1) / SUBMISSIONS_PER_TASK, tasks = c->tasks;
    if (!tasks) tasks = wanted < TASKS_MOST ? wanted : TASKS_MOST;
    if (tasks > n) tasks = n;
    if (tasks > most) tasks = most;
    write_script(c, script);
    int64_t job = slurm_submit(&c->request, c->spool.path, script, &tasks, &why);
    if (!job) die("Slurm did not take the job: %s", why.data);
    spool_set_job(&c->spool, job);
    printf(_("job %" PRId64 ": %" PRIu32 " tasks for %" PRIu32 " submissions. It goes on when this command is stopped, "
             "and the same command watches it again; 'scancel %" PRId64 "' ends it\n"),
           job, tasks, n, job);
    fflush(stdout);
    text_free(&why);
    return job;
}

// ------------------------------------------------------------------------------------------------- waiting for the job
static void query(int64_t job, struct slurm_state *s, int *silent)
{
    struct text why = {0};
    struct slurm_state now;
    if (!slurm_query(job, &now, &why)) {
        *s = now;
        *silent = 0;
    } else if (!(*silent)++) {
        message_warn("Slurm does not answer (%s); results are gathered all the same", why.data);
    }
    text_free(&why);
}

// Waits until the Slurm job has ended or every submission has a result. Sets *s to the last known state of the Slurm
// job.
static void watch(struct run *r, int64_t job, struct slurm_state *s)
{
    double nap_s = 0.25, query_s = 1, queried_s = clock_s();
    int silent = 0;
    *s = (struct slurm_state){.waiting = 1};
    while (s->waiting || s->running) {
        if (gather(r)) nap_s = 0.25;
        if (!r->open) return;
        nap(nap_s);
        nap_s = nap_s * 1.5 < NAP_MOST_S ? nap_s * 1.5 : NAP_MOST_S;
        if (clock_s() - queried_s < query_s) continue;
        query(job, s, &silent);
        queried_s = clock_s();
        query_s = query_s * 1.5 < QUERY_MOST_S ? query_s * 1.5 : QUERY_MOST_S;
    }
    gather(r);
    if (!r->open) return;
    nap(SETTLE_S); // the last files of a node may become visible after the job has ended
    gather(r);
}

// Records a failure in the gradebook for each submission that tasks began TRIES times without a result.
static void give_up(struct run *r, const struct slurm_state *s)
{
    for (uint32_t i = 0; i < r->count; ++i) {
        struct worker_result lost = {.graded = 0};
        if (r->settled[i] || spool_begun(&r->cluster->spool, &r->item[i].work) < TRIES || !r->known) continue;
        text_say(&lost.message, "its task on the cluster was lost %d times%s%s%s%s", TRIES, *s->word ? ": " : "",
                 s->word, *s->node ? ", " : "", s->node);
        settle(r, &r->item[i], &lost);
        worker_result_free(&lost);
    }
}

// Returns 1 if the batch must submit another job for the submissions without a result. `job` is the number of the Slurm
// job that has ended. `before` is 1 if an earlier process "./grade batch" submitted this job. If `before` is 1, again()
// returns 1 even if the Slurm job `job` was cancelled or began no submission. `idle` is 1 if the Slurm job `job`
// neither began nor finished a submission. The counter *barren is the number of idle jobs in a row.
static int again(struct run *r, int64_t job, const struct slurm_state *s, int before, int idle, uint32_t *barren)
{
    struct text words = {0};
    spool_last_message(&r->cluster->spool, job, &words);
    *barren = idle ? *barren + 1 : 0;
    int stop = !before && (s->cancelled || (idle && !s->lost) || *barren == TRIES);
    spool_set_job(&r->cluster->spool, 0);
    progress_end(&r->batch->progress);
    printf(stop ? _("job %" PRId64 " is over, and %" PRIu32 " submissions are not graded yet")
                : _("job %" PRId64 " is over, and %" PRIu32 " submissions are handed out again"),
           job, r->open);
    if (*s->word) printf(*s->node ? ": %s, %s" : ": %s", s->word, s->node);
    putchar('\n');
    if (words.length) printf("  %s\n", words.data);
    if (stop && idle && !s->cancelled && !s->lost)
        printf(_("no task began: do the nodes see '%s' and the kit, and have they a CUDA compiler?\n"),
               r->cluster->spool.path);
    fflush(stdout);
    text_free(&words);
    return !stop;
}

static void work_off(struct run *r, int64_t job)
{
    struct slurm_state s;
    uint32_t barren = 0;
    for (;; job = 0) {
        uint32_t marks = begun(r), open = r->open;
        int before = job != 0;
        if (!job) job = hand_out(r);
        watch(r, job, &s);
        int idle = r->open == open && begun(r) == marks;
        give_up(r, &s);
        if (!r->open || !again(r, job, &s, before, idle, &barren)) return;
    }
}

void cluster_run(struct batch *b, struct cluster *c)
{
    struct run r = {.batch = b, .cluster = c};
    struct gradebook_work *work;
    lock(&c->spool);
    int64_t job = spool_get_job(&c->spool);
    r.known = spool_get_key(&c->spool, &b->key);
    size_t device = strcspn(b->key.profile, ",");
    if (r.known &&
        (b->key.seed != c->seed || strlen(c->device) != device || strncmp(b->key.profile, c->device, device))) {
        if (job) slurm_cancel(job);
        spool_empty(&c->spool);
        b->key = (struct gradebook_key){.seed = 0};
        job = r.known = 0;
    }
    if (r.known) batch_counts(b);
    // lists all submissions if the key is unknown
    r.open = r.count = gradebook_work(b->gradebook, &b->key, b->labs, &work);
    r.item = alloc_zeroed(r.count + 1, sizeof *r.item);
    r.settled = alloc_zeroed(r.count + 1, 1);
    for (uint32_t i = 0; i < r.count; ++i) r.item[i].work = work[i];
    free(work);
    qsort(r.item, r.count, sizeof *r.item, compare);
    b->progress = progress_long("batch", (int)r.count);
    if (job) printf(_("job %" PRId64 " was submitted before\n"), job);
    gather(&r);
    if (r.open) work_off(&r, job);
    progress_end(&b->progress);
    c->left = r.open;
    if (!r.open) spool_set_job(&c->spool, 0);
    if (!r.open && !b->failed) spool_clear_logs(&c->spool);
    free(r.item);
    free(r.settled);
}

// -------------------------------------------------------------------------------------------------------- on a node
struct part {
    const struct spool *spool;
    const struct spool_item **item;
    uint32_t count, next;
};

static int next(void *data, struct pool_work *out)
{
    struct part *p = data;
    if (p->next == p->count) return 0;
    const struct spool_item *i = p->item[p->next++];
    spool_begin(p->spool, &i->work);
    spool_get_source(p->spool, &i->work, &out->source);
    out->bytes = i->bytes;
    out->work = &i->work;
    return 1;
}

static void done(void *data, const struct gradebook_work *w, const struct worker_result *r)
{
    spool_put_result(((struct part *)data)->spool, w, r);
}

void cluster_task(const struct spool *s, const struct pool *pool, const struct gradebook_key *key, uint32_t number,
                  uint32_t count)
{
    struct spool_item *item;
    struct gradebook_key agreed = *key;
    spool_agree_key(s, &agreed);
    if (strcmp(agreed.tool, key->tool) || strcmp(agreed.profile, key->profile) || agreed.seed != key->seed)
        die("this node grades with '%s' on '%s', the others with '%s' on '%s': choose nodes that are alike "
            "(--partition, --constraint, --gres), or, to grade everything anew, remove '%s/key'",
            key->tool, key->profile, agreed.tool, agreed.profile, s->path);
    uint32_t all = spool_get_list(s, &item);
    const struct spool_item **mine = alloc_zeroed(all + 1, sizeof *mine);
    struct part p = {s, mine, 0, 0};
    struct pool_callbacks ends = {next, done, &p};
    // Submissions that a task began before come last, because a submission may have caused the loss of the task that
    // began it.
    for (uint32_t tries = 0; tries < TRIES; ++tries)
        for (uint32_t i = number; i < all; i += count)
            if (spool_begun(s, &item[i].work) == tries && !spool_has_result(s, &item[i].work))
                mine[p.count++] = &item[i];
    worker_pool_run(pool, &ends);
    free(mine);
    free(item);
}
