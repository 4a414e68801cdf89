// Grades the submissions of a class on a Slurm cluster. The tasks of a Slurm job judge the submissions on nodes that
// share a folder, the spool, with the batch. Each task writes its results as files into the spool folder. The batch
// copies the results from the spool into the gradebook, and submits another job for submissions whose results were
// lost.
#ifndef BATCH_GRADING_CLUSTER_H
#define BATCH_GRADING_CLUSTER_H

#include "batch/grading/batch.h"
#include "batch/grading/slurm.h"
#include "batch/grading/spool.h"

// Holds the settings for grading on a Slurm cluster. The caller of cluster_run() sets every field except `left`.
struct cluster {
    struct slurm_request request;
    uint32_t tasks; // maximum number of tasks; 0: derived from the number of submissions
    // shell command that starts a task; cluster_run() appends the folder, the task's number and the number of tasks
    const char *task;
    const char *device; // name of the device profile that the batch grades for
    int64_t seed;
    struct spool spool; // opened by the caller with spool_open()
    // set by cluster_run(): number of submissions that have neither a result nor a failure, for example after a user
    // cancelled the job
    uint32_t left;
};
// Grades a batch's submissions on the Slurm cluster and prints the progress. Sets the batch's key (program version,
// device profile and seed) as soon as a task has written its node's key into the spool. Dies if Slurm rejects the job
// or if the spool folder cannot be used.
void cluster_run(struct batch *, struct cluster *);

// Judges the submissions of one task on a node: item `number` of the spool's list and every `count`-th item after item
// `number`. Skips submissions that already have a result. `key` is the program version, device profile and seed with
// which this node grades. Dies if the other nodes grade with a different program version, device profile or seed.
void cluster_task(const struct spool *, const struct pool *, const struct gradebook_key *key, uint32_t number,
                  uint32_t count);

#endif
