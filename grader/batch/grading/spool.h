// Manages the spool: the folder through which a batch and the tasks of a cluster job exchange files. The spool lies on
// a file system that all nodes share. Only the batch process opens the gradebook. A task of the cluster job reads
// sources from the spool and writes results into the spool.
//
//   key                program version, profile and seed that grade, one per line; the first task writes this file
//   job                the number of the current job
//   list               the job's submissions, one per line: NAME BYTES
//   source/SHA256      the source with this SHA-256
//   begun/NAME         a file with one byte for each time that a task began to judge NAME
//   result/NAME        the result of NAME; a complete result is renamed to this name; NAME is SHA256.lab
//   secret             the class's key (base/secret.h)
//   log/JOB_TASK.txt   output of a task
#ifndef BATCH_GRADING_SPOOL_H
#define BATCH_GRADING_SPOOL_H

#include "base/secret.h"
#include "batch/book/gradebook.h"
#include "batch/grading/worker.h"
#include "batch/grading/worker_pool.h"

// Holds an open spool. The field `path` is the path of the spool folder.
struct spool {
    char path[2048];
    struct secret secret; // the class's key, which seals results; set by the caller after spool_open()
};
// Each function of spool.h except spool_last_message() ends the program with an error message if the spool folder
// cannot be read or written.
//
// Opens the spool in the folder `path`. Creates a missing spool folder with access for the current user only.
void spool_open(struct spool *, const char *path);
// Removes all files of a cluster job from the spool folder, except the logs.
void spool_empty(struct spool *);

// Reads the program version, device profile and seed with which the tasks of a cluster job grade from the spool's file
// `key`. Returns 1, or 0 if no task has written the file `key` yet.
int spool_get_key(const struct spool *, struct gradebook_key *);
// Makes all tasks of a cluster job use the same program version, device profile and seed (struct gradebook_key). If the
// spool has no file `key` yet, writes the task's struct gradebook_key into the file. At the end, spool_agree_key()
// always sets its argument to the struct gradebook_key in the spool's file `key`. If two tasks write the file `key` at
// the same time, both tasks read the struct gradebook_key of the first task.
void spool_agree_key(const struct spool *, struct gradebook_key *);

// Returns the number of the current Slurm job, or 0 if there is no job.
int64_t spool_get_job(const struct spool *);
// Sets the number of the current Slurm job. The job number 0 means that there is no job.
void spool_set_job(const struct spool *, int64_t job);

// Describes one submission in the spool's list. The field `bytes` is the size of the submission's source.
struct spool_item {
    struct gradebook_work work;
    size_t bytes;
};
// Reads the spool's list of submissions into *items. *items is allocated with malloc, and the caller frees *items.
// Returns the number of submissions in the spool's list.
uint32_t spool_get_list(const struct spool *, struct spool_item **);
// Writes the list of submissions into the spool.
void spool_set_list(const struct spool *, const struct spool_item *, uint32_t count);
// spool_put_source() writes a source into the spool, and spool_get_source() reads a source from the spool.
void spool_put_source(const struct spool *, const struct gradebook_work *, const struct text *);
void spool_get_source(const struct spool *, const struct gradebook_work *, struct text *);

// Records in the spool that the calling task begins to judge a submission.
void spool_begin(const struct spool *, const struct gradebook_work *);
// Returns the number of times that tasks began to judge a submission.
uint32_t spool_begun(const struct spool *, const struct gradebook_work *);
// Writes a submission's result into the spool in such a way that other nodes see the complete result or nothing.
void spool_put_result(const struct spool *, const struct gradebook_work *, const struct worker_result *);
// Returns 1 if the spool has a result of the given submission.
int spool_has_result(const struct spool *, const struct gradebook_work *);
// Reads a submission's result from the spool. Returns 1 if the spool has a complete result of the submission, or 0. If
// the result does not bear the class's seal, removes the result with a warning that names its file, and returns 0. The
// caller frees the result with worker_result_free().
int spool_get_result(const struct spool *, const struct gradebook_work *, struct worker_result *);
// Removes a submission's result from the spool, and the number of times that tasks began to judge the submission.
void spool_forget(const struct spool *, const struct gradebook_work *);
// Calls a function for each result in the spool. Before it lists the results, spool_results() makes the client of a
// network file system read the names in the result folder again.
void spool_results(const struct spool *, void (*)(void *, const struct gradebook_work *), void *);
// Appends the last line of the newest log that the tasks of a Slurm job wrote. Appends nothing if the tasks of the job
// printed nothing.
void spool_last_message(const struct spool *, int64_t job, struct text *);
// Removes the logs of all tasks from the spool.
void spool_clear_logs(const struct spool *);

#endif
