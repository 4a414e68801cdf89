// A host program: a student's, or the baseline's.
#ifndef JUDGE_JOB_PROGRAM_H
#define JUDGE_JOB_PROGRAM_H

#include "box/box.h"
#include "judge/job/job.h"

enum { JUDGE_PROGRAM_PRINT = 64 << 10 }; // bytes that a program may print

// Starts the program at `path` in a box, as the client's, which is freed. `wall_s` and `cpu_s` limit its time. Dies
// when the machine is at fault.
struct host_client;
void judge_program_start(const struct judge_job *, struct host_client *, const char *path, double wall_s,
                         unsigned cpu_s, struct box *);

#endif
