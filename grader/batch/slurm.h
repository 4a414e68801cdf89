// Slurm, through its command line's programs: a job array submitted, looked at, ended. Written for 22.05 and later;
// what is used of it is older.
#ifndef BATCH_SLURM_H
#define BATCH_SLURM_H

#include <stdint.h>

#include "base/text.h"

struct slurm_request {
    const char *partition, *account, *qos, *constraint, *gres; // NULL: the cluster's default
    uint32_t cpus;                                             // of a task
};
// Submits an array of tasks in `folder`, where their output goes into log/JOB_TASK.txt; *tasks is how many are wanted
// and becomes how many the cluster takes. `script` is the job's. The job's number; or 0 with a sentence in why.
int64_t slurm_submit(const struct slurm_request *, const char *folder, const char *script, uint32_t *tasks,
                     struct text *why);
// How many tasks an array may have.
uint32_t slurm_array_most(void);

struct slurm_state {
    uint32_t waiting, running; // tasks; both 0: the job is over
    uint32_t lost;             // tasks that the cluster took away: a node failed, another job needed it
    uint32_t cancelled;        // by somebody
    char word[32], node[64];   // of the last task that did not end well: FAILED, NODE_FAIL …; empty: none, not known
    char reason[64];           // why the waiting ones wait
};
// 0; or -1 with a sentence in why: Slurm did not answer.
int slurm_query(int64_t job, struct slurm_state *, struct text *why);
void slurm_cancel(int64_t job);

#endif
