// Grades every submission in a gradebook that has no grading result yet. batch_run() grades on this machine, and
// cluster_run() in cluster.h grades on a Slurm cluster.
#ifndef BATCH_GRADING_BATCH_H
#define BATCH_GRADING_BATCH_H

#include "base/progress.h"
#include "batch/book/gradebook.h"
#include "batch/grading/worker_pool.h"

// Holds the state of a batch. The caller sets the fields `gradebook`, `key` and `labs` before calling batch_run().
struct batch {
    struct gradebook *gradebook;
    struct gradebook_key key;      // program version, device profile and seed that grade the submissions
    const struct lab *const *labs; // labs to grade; NULL-terminated
    uint32_t graded, failed;       // numbers of different sources recorded so far
    uint32_t submissions;          // number of submissions that have the graded sources
    struct progress progress;
};
// Grades all submissions without a result on this machine, and returns when the last worker process has ended. If the
// machine cannot grade a submission, batch_run() adds a row to the gradebook's table `failure`.
void batch_run(struct batch *, const struct pool *);
// Stores the batch's program version, device profile and seed in the gradebook's settings. The class's marks come from
// those runs of the grader whose program version, device profile and seed equal the gradebook's settings. If the
// present marks come from simulated speeds, a batch that measures speeds on a graphics card of the same device profile
// leaves the gradebook's settings unchanged. If batch_counts() does not change the gradebook's settings, it prints that
// marks stay those of the simulator until './grade merge'.
void batch_counts(struct batch *);
// Writes a worker's result into the gradebook and advances the progress display. A result is recorded as a run if the
// submission was graded, or else as a failure.
void batch_record(struct batch *, const struct gradebook_work *, const struct worker_result *);

#endif
