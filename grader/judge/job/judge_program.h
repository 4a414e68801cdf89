// Starts a host program, which is the student's program or the baseline program of a host lab.
#ifndef JUDGE_JOB_JUDGE_PROGRAM_H
#define JUDGE_JOB_JUDGE_PROGRAM_H

#include "box/box.h"
#include "judge/job/job.h"

enum { JUDGE_PROGRAM_PRINT = 64 << 10 }; // most bytes that a program may print

// The function judge_program_start() starts the program at `path` in a sandbox, with the shared memory and the doorbell
// socket of the struct host_client. In the calling process, judge_program_start() frees the memory and descriptors of
// the struct host_client. `wall_s` and `cpu_s` limit the program's wall-clock time and processor time in seconds. If
// the sandbox cannot be started, judge_program_start() ends the grader by die().
struct host_client;
void judge_program_start(const struct judge_job *, struct host_client *, const char *path, double wall_s,
                         unsigned cpu_s, struct box *);

#endif
