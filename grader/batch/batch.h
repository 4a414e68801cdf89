// A batch: all that is not graded yet in a book, graded by workers side by side.
#ifndef BATCH_BATCH_H
#define BATCH_BATCH_H

#include "batch/book.h"
#include "batch/worker.h"
#include "judge/judge.h"

struct batch {
    struct book *book;
    struct book_key key;
    const struct lab *const *labs; // NULL-terminated
    uint32_t jobs;                 // workers at a time
    // Sets what of a job depends on the lab: lab, baseline, thresholds. Source and name are the batch's.
    void (*prepare)(void *, const struct lab *, struct judge_job *);
    void *data;
    struct judge_job job;    // all else
    uint32_t graded, failed; // of this batch, when it has ended
};
// Grades. What could not be graded is in the book's `failure`.
void batch_run(struct batch *);
// Judges one source once more, as a worker would. Free the result.
void batch_replay(struct batch *, const struct book_work *, struct worker_result *);

#endif
