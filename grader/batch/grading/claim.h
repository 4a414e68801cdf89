// Shares the work of several batches that grade one gradebook at the same time, so that no submission is judged twice.
//
// A batch claims a submission before it judges it. A claim ends with the process that made it, so a batch that is
// killed holds nothing.
#ifndef BATCH_GRADING_CLAIM_H
#define BATCH_GRADING_CLAIM_H

#include <sys/types.h>

#include "batch/book/gradebook.h"

struct claim {
    int fd; // the file whose bytes are locked; -1: the file system has no locks, and each claim succeeds
};
// Opens the claims on the gradebook in the file `book`, and tells other batches that this process grades it. A process
// may open them once only.
void claim_open(struct claim *, const char *book);
void claim_close(struct claim *);
// Returns the process number of another batch that grades the gradebook, 0 if there is none, or -1 if there is one but
// its number is unknown, for example because it runs on another machine.
pid_t claim_other(const struct claim *);
// Claims a submission. Returns 1, or 0 if another batch judges it.
int claim_take(const struct claim *, const struct gradebook_work *);
void claim_release(const struct claim *, const struct gradebook_work *);

#endif
