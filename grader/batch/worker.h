// A worker: one submission judged in a process of its own, so that whatever befalls the judge is that submission's
// alone.
#ifndef BATCH_WORKER_H
#define BATCH_WORKER_H

#include <sys/types.h>

#include "judge/judge.h"

struct worker {
    pid_t pid;           // 0: idle
    int result, message; // memory files: what it made; what it printed on stderr
    double start_s;      // CLOCK_MONOTONIC
};
struct worker_result {
    int graded;                     // 0: not, and `message` says why in a sentence
    struct text report, text, html; // JSON; for a person
    struct text ptx;
    struct text message;
    double seconds;
};
// Starts one; the job and what it points to need not outlive the call.
void worker_start(struct worker *, const struct judge_job *);
// Looks whether it ended. 1 with the result, to be freed with worker_result_free; 0: it runs.
int worker_poll(struct worker *, struct worker_result *);
// A result as a file, from its begin. 0; or -1: it could not be written (errno), or is none.
int worker_result_write(int fd, const struct worker_result *);
int worker_result_read(int fd, struct worker_result *);
void worker_result_free(struct worker_result *);

#endif
