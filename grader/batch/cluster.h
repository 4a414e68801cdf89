// A batch on a cluster: what is not graded is judged by the tasks of a Slurm job on nodes that share a folder with the
// batch, and comes back as files. The batch watches, keeps the gradebook, and hands out again what was lost.
#ifndef BATCH_CLUSTER_H
#define BATCH_CLUSTER_H

#include "batch/batch.h"
#include "batch/slurm.h"
#include "batch/spool.h"

struct cluster {
    struct slurm_request wish;
    uint32_t tasks;     // at the most; 0: as many as the submissions ask for
    const char *task;   // a task's program with its options, for the shell; folder, number and count are added
    const char *device; // what a key must have to be this batch's
    int64_t seed;
    struct spool spool; // opened
    uint32_t left;      // when it has ended: what was not graded, without being a failure: the job was cancelled, say
};
// The batch's key is set when it is known what grades. Prints what happens.
void cluster_run(struct batch *, struct cluster *);

// On a node: judges every count'th of the list, from `number` on, but for what has a result already. `key`: what grades
// here; dies when it is not what graded the others.
void cluster_task(const struct spool *, const struct pool *, const struct gradebook_key *key, uint32_t number,
                  uint32_t count);

#endif
