// The folder through which a batch and the tasks of a cluster's job speak: on a file system that all of them see, and
// nothing else. The batch alone opens the gradebook; a task reads sources here and leaves results.
//
//   key                what grades: tool, profile, seed, a line each; the first task that runs writes it
//   job                the number of the job that is under way
//   list               its submissions, a line each: NAME BYTES
//   source/SHA256      what was handed in
//   begun/NAME         as many bytes as times a task began to judge it
//   result/NAME        what came of it, whole: it comes here by a rename. NAME is SHA256.lab
//   log/JOB_TASK.txt   what a task printed
#ifndef BATCH_SPOOL_H
#define BATCH_SPOOL_H

#include "batch/gradebook.h"
#include "batch/pool.h"
#include "batch/worker.h"

struct spool {
    char path[2048];
};
// All die when the folder cannot be read or written.
void spool_open(struct spool *, const char *path); // makes it, for this user alone
void spool_empty(struct spool *);                  // of all but what tasks printed

// 1; or 0: no task ran yet.
int spool_get_key(const struct spool *, struct gradebook_key *);
// Sets the key if there is none yet, then reads it: of two that set it, the first one's holds for both.
void spool_agree_key(const struct spool *, struct gradebook_key *);

int64_t spool_get_job(const struct spool *); // 0: none
void spool_set_job(const struct spool *, int64_t job);

struct spool_item {
    struct gradebook_work work;
    size_t bytes;
};
// The list, malloc'ed; how many.
uint32_t spool_get_list(const struct spool *, struct spool_item **);
void spool_set_list(const struct spool *, const struct spool_item *, uint32_t count);
void spool_put_source(const struct spool *, const struct gradebook_work *, const struct text *);
void spool_get_source(const struct spool *, const struct gradebook_work *, struct text *);

void spool_begin(const struct spool *, const struct gradebook_work *);
uint32_t spool_begun(const struct spool *, const struct gradebook_work *); // how many times
void spool_put_result(const struct spool *, const struct gradebook_work *, const struct worker_result *);
int spool_has_result(const struct spool *, const struct gradebook_work *);
int spool_get_result(const struct spool *, const struct gradebook_work *, struct worker_result *); // 1; or 0: none
void spool_forget(const struct spool *, const struct gradebook_work *); // result and beginnings
// Calls for each result that lies there. On a network file system this machine's picture of the folder is renewed
// first.
void spool_results(const struct spool *, void (*)(void *, const struct gradebook_work *), void *);
// The last line that a task of the job printed last; nothing where none did.
void spool_last_message(const struct spool *, int64_t job, struct text *);
void spool_clear_logs(const struct spool *);

#endif
