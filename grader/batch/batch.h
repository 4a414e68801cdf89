// A batch: all that is not graded yet in a gradebook, graded on this machine or, by cluster.h, on another's.
#ifndef BATCH_BATCH_H
#define BATCH_BATCH_H

#include "base/progress.h"
#include "batch/gradebook.h"
#include "batch/pool.h"

struct batch {
    struct gradebook *gradebook;
    struct gradebook_key key;      // what grades
    const struct lab *const *labs; // NULL-terminated
    uint32_t graded, failed;       // so far
    struct progress progress;
};
// Grades here. What could not be graded is in the gradebook's `failure`.
void batch_run(struct batch *, const struct pool *);
// The runs of the batch's key count from now on, unless a card comes to a gradebook whose marks are a simulator's.
void batch_counts(struct batch *);
// Records what came of one piece of work.
void batch_record(struct batch *, const struct gradebook_work *, const struct worker_result *);

#endif
