// Submits, queries and cancels Slurm job arrays with Slurm's command-line programs. The code supports Slurm 22.05 and
// later.
#ifndef BATCH_GRADING_SLURM_H
#define BATCH_GRADING_SLURM_H

#include <stdint.h>

struct text;

// Holds the resources that a Slurm job requests. Each string field has the name of an option of sbatch.
struct slurm_request {
    const char *partition, *account, *qos, *constraint, *gres; // NULL: use the cluster's default
    uint32_t cpus;                                             // number of CPUs for each task
};
// Submits a Slurm job array of *tasks tasks that run `script` in `folder`. Each task writes its output to the file
// log/JOB_TASK.txt in `folder`. Sets *tasks to the number of tasks in the submitted job array. Returns the job's
// number, or 0 with an error message in `why`.
int64_t slurm_submit(const struct slurm_request *, const char *folder, const char *script, uint32_t *tasks,
                     struct text *why);
// Returns the number of tasks that the cluster allows in one Slurm job array.
uint32_t slurm_array_most(void);

// Holds the state of a Slurm job array.
struct slurm_state {
    uint32_t waiting, running; // numbers of waiting and running tasks; if both are 0, the job has ended
    // number of tasks that Slurm ended because a node failed or because another job needed the node
    uint32_t lost;
    uint32_t cancelled; // number of tasks that a user cancelled
    // State, such as FAILED or NODE_FAIL, and node of the last task that failed. An empty string means that no task
    // failed or that the value is unknown.
    char word[32], node[64];
    char reason[64]; // Slurm's reason why tasks wait
};
// Asks Slurm for the state of a job array. Returns 0, or -1 with an error message in `why` if Slurm does not answer.
int slurm_query(int64_t job, struct slurm_state *, struct text *why);
// Cancels a job. Ignores errors.
void slurm_cancel(int64_t job);

#endif
