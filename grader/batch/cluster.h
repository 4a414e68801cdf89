// A batch on a cluster. The tasks of a Slurm job judge the submissions on nodes that share a folder with the batch.
// They leave their results there as files. The batch waits for results, writes them into the gradebook, and submits
// another job for those that were lost.
#ifndef BATCH_CLUSTER_H
#define BATCH_CLUSTER_H

#include "batch/batch.h"
#include "batch/slurm.h"
#include "batch/spool.h"

// What a batch on a cluster needs, set by the caller.
struct cluster {
    struct slurm_request request;
    uint32_t tasks; // at most; 0: derived from the number of submissions
    // shell command that starts a task; the folder, the task's number and the number of tasks are appended
    const char *task;
    const char *device; // name of the device profile that the batch grades for
    int64_t seed;
    struct spool spool; // open, see spool_open()
    // set by cluster_run(): submissions without result or failure, because the job was cancelled for example
    uint32_t left;
};
// Grades a batch on the cluster and prints what happens. Sets the batch's key once a task has reported it. Dies when
// Slurm takes no job or the shared folder cannot be used.
void cluster_run(struct batch *, struct cluster *);

// Runs on a node: judges item `number` of the spool's list and every count'th item after it, except those with a
// result. `key` says what grades on this node. Dies when the other nodes grade with a different key.
void cluster_task(const struct spool *, const struct pool *, const struct gradebook_key *key, uint32_t number,
                  uint32_t count);

#endif
