// The folder through which a batch and the tasks of a cluster job exchange files. It lies on a file system that all
// nodes see. Only the batch opens the gradebook; a task reads sources from the folder and writes results into it.
//
//   key                what grades: program, profile and seed, a line each; written by the first task that runs
//   job                the number of the current job
//   list               the job's submissions, a line each: NAME BYTES
//   source/SHA256      a source
//   begun/NAME         a file with one byte for each time that a task began to judge NAME
//   result/NAME        a result, renamed into place when it is complete; NAME is SHA256.lab
//   log/JOB_TASK.txt   what a task printed
#ifndef BATCH_SPOOL_H
#define BATCH_SPOOL_H

#include "batch/gradebook.h"
#include "batch/pool.h"
#include "batch/worker.h"

// An open spool.
struct spool {
    char path[2048];
};
// All functions die if the folder cannot be read or written.
//
// Opens the folder at `path`, and creates it with access for this user only.
void spool_open(struct spool *, const char *path);
// Removes everything except the logs.
void spool_empty(struct spool *);

// Reads the key. Returns 1, or 0 if no task has run yet.
int spool_get_key(const struct spool *, struct gradebook_key *);
// Writes the key if the folder has none, then reads it. If two tasks write at the same time, both read the first one's
// key.
void spool_agree_key(const struct spool *, struct gradebook_key *);

// Returns the number of the current job, or 0.
int64_t spool_get_job(const struct spool *);
// Sets the number of the current job; 0: none.
void spool_set_job(const struct spool *, int64_t job);

// One submission of the list.
struct spool_item {
    struct gradebook_work work;
    size_t bytes;
};
// Reads the list into *items, allocated with malloc; the caller frees it. Returns the number of items.
uint32_t spool_get_list(const struct spool *, struct spool_item **);
// Writes the list.
void spool_set_list(const struct spool *, const struct spool_item *, uint32_t count);
// Writes and reads a source.
void spool_put_source(const struct spool *, const struct gradebook_work *, const struct text *);
void spool_get_source(const struct spool *, const struct gradebook_work *, struct text *);

// Records that this task begins to judge the work.
void spool_begin(const struct spool *, const struct gradebook_work *);
// Returns how many times a task began to judge the work.
uint32_t spool_begun(const struct spool *, const struct gradebook_work *);
// Writes a result so that other nodes see it completely or not at all.
void spool_put_result(const struct spool *, const struct gradebook_work *, const struct worker_result *);
// Returns 1 if the work has a result.
int spool_has_result(const struct spool *, const struct gradebook_work *);
// Reads a result. Returns 1, or 0 if there is none. Free the result with worker_result_free().
int spool_get_result(const struct spool *, const struct gradebook_work *, struct worker_result *);
// Removes a work's result and the count of its begins.
void spool_forget(const struct spool *, const struct gradebook_work *);
// Calls the function for each result in the folder. Refreshes this machine's cache of a network file system first.
void spool_results(const struct spool *, void (*)(void *, const struct gradebook_work *), void *);
// Appends the last line that the tasks of a job printed. Appends nothing if they printed nothing.
void spool_last_message(const struct spool *, int64_t job, struct text *);
// Removes the logs.
void spool_clear_logs(const struct spool *);

#endif
