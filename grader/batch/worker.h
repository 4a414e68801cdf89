// A worker judges one submission in a process of its own, so that a crash of the judge affects only that submission.
#ifndef BATCH_WORKER_H
#define BATCH_WORKER_H

#include <sys/types.h>

#include "judge/judge.h"

// A worker process.
struct worker {
    pid_t pid;           // 0: no process
    int result, message; // memory files: the result; what the process printed on stderr
    double start_s;      // start time in seconds of CLOCK_MONOTONIC
};
// What a worker leaves: a report, or a message. All texts are owned.
struct worker_result {
    int graded;                     // 0: not graded, and `message` says why in a sentence
    struct text report, text, html; // JSON; plain text; an HTML page
    // the image that was judged
    struct text ptx;
    struct text message;
    // wall-clock time
    double seconds;
};
// Starts a worker. The job and all it points to may be freed after the call.
void worker_start(struct worker *, const struct judge_job *);
// Returns 1 with the result if the worker has ended, or 0 if it still runs. Free the result with worker_result_free().
int worker_poll(struct worker *, struct worker_result *);
// Writes a result to a file, or reads one from the file's beginning. Both return 0, or -1: the write failed (see
// errno), or the file is no complete result.
int worker_result_write(int fd, const struct worker_result *);
int worker_result_read(int fd, struct worker_result *);
void worker_result_free(struct worker_result *);

#endif
