// Grades every submission in a gradebook that has no run yet: on this machine, or with cluster.h on a cluster.
#ifndef BATCH_BATCH_H
#define BATCH_BATCH_H

#include "base/progress.h"
#include "batch/gradebook.h"
#include "batch/pool.h"

// The state of a batch. The caller sets the first three fields.
struct batch {
    struct gradebook *gradebook;
    struct gradebook_key key;      // the program, profile and seed that grade
    const struct lab *const *labs; // NULL-terminated
    uint32_t graded, failed;       // submissions recorded so far
    struct progress progress;
};
// Grades on this machine and returns when nothing is left. A submission that the machine cannot grade gets a row in the
// gradebook's table `failure`.
void batch_run(struct batch *, const struct pool *);
// Makes the runs with the batch's key the ones that marks come from. If the gradebook's marks come from the simulator
// and the key names a graphics card, the function changes nothing and prints that './grade merge' does it.
void batch_counts(struct batch *);
// Writes one result into the gradebook as a run or as a failure, and advances the progress display.
void batch_record(struct batch *, const struct gradebook_work *, const struct worker_result *);

#endif
