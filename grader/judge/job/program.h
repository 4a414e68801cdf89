// Starts a host program, which is the student's program or the baseline program of a host lab.
#ifndef JUDGE_JOB_PROGRAM_H
#define JUDGE_JOB_PROGRAM_H

#include "box/box.h"
#include "judge/job/job.h"

enum { JUDGE_PROGRAM_PRINT = 64 << 10 }; // most bytes that a program may print

// Starts the program at `path` in a sandbox, with the shared memory and doorbell socket of `client`. Frees the client's
// resources in this process. `wall_s` and `cpu_s` limit the program's wall-clock time and processor time in seconds.
// Calls die() if the machine is at fault.
struct host_client;
void judge_program_start(const struct judge_job *, struct host_client *, const char *path, double wall_s,
                         unsigned cpu_s, struct box *);

#endif
