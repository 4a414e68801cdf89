// Grades every submission in a gradebook that has no run yet. batch_run() grades on this machine, and cluster_run() in
// cluster.h grades on a Slurm cluster.
#ifndef BATCH_BATCH_H
#define BATCH_BATCH_H

#include "base/progress.h"
#include "batch/gradebook.h"
#include "batch/pool.h"

// State of a batch. The caller sets `gradebook`, `key` and `labs` before batch_run().
struct batch {
    struct gradebook *gradebook;
    struct gradebook_key key;      // program version, device profile and seed that grade the submissions
    const struct lab *const *labs; // labs to grade; NULL-terminated
    uint32_t graded, failed;       // numbers of submissions recorded so far
    struct progress progress;
};
// Grades all submissions on this machine and returns when no submission is left. If the machine cannot grade a
// submission, batch_run() adds a row to the gradebook's table `failure`.
void batch_run(struct batch *, const struct pool *);
// Makes marks come from the runs that have the batch's key. The function changes nothing if marks come from the
// simulator now and the key names a graphics card. If nothing changes, batch_counts() prints that './grade merge'
// changes the marks.
void batch_counts(struct batch *);
// Writes one result into the gradebook as a run or as a failure, and advances the progress display.
void batch_record(struct batch *, const struct gradebook_work *, const struct worker_result *);

#endif
