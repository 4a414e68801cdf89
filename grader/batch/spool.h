// Manages the spool: the folder through which a batch and the tasks of a cluster job exchange files. The spool lies on
// a file system that all nodes share. Only the batch opens the gradebook. A task reads sources from the spool and
// writes results into the spool.
//
//   key                program version, profile and seed that grade, one per line; the first task writes this file
//   job                the number of the current job
//   list               the job's submissions, one per line: NAME BYTES
//   source/SHA256      the source with this SHA-256
//   begun/NAME         a file with one byte for each time that a task began to judge NAME
//   result/NAME        the result of NAME; a complete result is renamed to this name; NAME is SHA256.lab
//   log/JOB_TASK.txt   output of a task
#ifndef BATCH_SPOOL_H
#define BATCH_SPOOL_H

#include "batch/gradebook.h"
#include "batch/pool.h"
#include "batch/worker.h"

// An open spool. `path` is the folder's path.
struct spool {
    char path[2048];
};
// All functions die if the folder cannot be read or written.
//
// Opens the spool in the folder `path`. Creates the folder with access for the current user only.
void spool_open(struct spool *, const char *path);
// Removes all files in the spool except the logs.
void spool_empty(struct spool *);

// Reads the key with which the tasks grade. Returns 1, or 0 if no task has run yet.
int spool_get_key(const struct spool *, struct gradebook_key *);
// Writes the key if the spool has no key yet, then reads the key back. If two tasks write at the same time, both tasks
// read the key of the first task.
void spool_agree_key(const struct spool *, struct gradebook_key *);

// Returns the number of the current job, or 0 if there is no job.
int64_t spool_get_job(const struct spool *);
// Sets the number of the current job. The value 0 means that there is no job.
void spool_set_job(const struct spool *, int64_t job);

// One submission of the list. `bytes` is the size of its source.
struct spool_item {
    struct gradebook_work work;
    size_t bytes;
};
// Reads the list of submissions into *items. *items is allocated with malloc, and the caller frees *items. Returns the
// number of items.
uint32_t spool_get_list(const struct spool *, struct spool_item **);
// Writes the list of submissions.
void spool_set_list(const struct spool *, const struct spool_item *, uint32_t count);
// spool_put_source() writes a source into the spool, and spool_get_source() reads a source from the spool.
void spool_put_source(const struct spool *, const struct gradebook_work *, const struct text *);
void spool_get_source(const struct spool *, const struct gradebook_work *, struct text *);

// Records that the calling task begins to judge the work.
void spool_begin(const struct spool *, const struct gradebook_work *);
// Returns the number of times that tasks began to judge the work.
uint32_t spool_begun(const struct spool *, const struct gradebook_work *);
// Writes a result in such a way that other nodes see the complete result or nothing.
void spool_put_result(const struct spool *, const struct gradebook_work *, const struct worker_result *);
// Returns 1 if the spool has a result of the work.
int spool_has_result(const struct spool *, const struct gradebook_work *);
// Reads a result. Returns 1, or 0 if the spool has no result of the work. The caller frees the result with
// worker_result_free().
int spool_get_result(const struct spool *, const struct gradebook_work *, struct worker_result *);
// Removes the result of a work and the record of the times that tasks began to judge the work.
void spool_forget(const struct spool *, const struct gradebook_work *);
// Calls the function for each result in the spool. Before the calls, spool_results() refreshes this machine's cache of
// a network file system.
void spool_results(const struct spool *, void (*)(void *, const struct gradebook_work *), void *);
// Appends the last line that the tasks of a job printed. Appends nothing if the tasks printed nothing.
void spool_last_message(const struct spool *, int64_t job, struct text *);
// Removes the logs of all tasks.
void spool_clear_logs(const struct spool *);

#endif
