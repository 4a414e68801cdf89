// Starts and ends workers. A worker is a process that judges one submission, so that a crash of the judge affects only
// this submission.
#ifndef BATCH_GRADING_WORKER_H
#define BATCH_GRADING_WORKER_H

#include <sys/types.h>

#include "judge/judge.h"

// A worker process.
struct worker {
    pid_t pid; // process number; 0: no process
    // file descriptors of two memory files: `result` receives the result, `message` receives stderr
    int result, message;
    double start_s; // start time in seconds of CLOCK_MONOTONIC
};
// Holds the result of a worker: a report, or a message that explains why there is no report. All texts are owned.
struct worker_result {
    // 0: the submission was not graded, and `message` explains the failure in a sentence
    int graded;
    struct text report, text, html; // the report as JSON, as plain text, and as an HTML page
    // PTX image that was judged
    struct text ptx;
    struct text message;
    // wall-clock time of the worker, in seconds
    double seconds;
};
// Starts a worker process that judges the submission of a job. After worker_start() returns, the caller may free the
// job and everything that the job points to.
void worker_start(struct worker *, const struct judge_job *);
// Checks without waiting whether a worker process has ended. Returns 1 and sets the result if the worker has ended, or
// returns 0 if the worker still runs. The caller frees the result with worker_result_free().
int worker_poll(struct worker *, struct worker_result *);
// worker_result_write() writes a result to a file, and worker_result_read() reads a result from the beginning of a
// file. The functions worker_result_write() and worker_result_read() return 0, or -1 on failure. worker_result_write()
// fails if the file cannot be written (see errno). worker_result_read() fails if the file has no complete result,
// followed by `trailer` bytes.
int worker_result_write(int fd, const struct worker_result *);
int worker_result_read(int fd, size_t trailer, struct worker_result *);
void worker_result_free(struct worker_result *);

#endif
