// Starts the judge's runner processes. A runner process executes kernels in a sandbox and obeys the judge's commands
// (wire/wire.h).
#ifndef JUDGE_JOB_RUNNER_H
#define JUDGE_JOB_RUNNER_H

#include "box/box.h"
#include "judge/job/job.h"
#include "wire/wire.h"

// JUDGE_SANITIZED is 1 in a build with AddressSanitizer. AddressSanitizer reserves terabytes of addresses, so a build
// with AddressSanitizer has no address-space limit and no static linking.
#if defined(__SANITIZE_ADDRESS__)
enum { JUDGE_SANITIZED = 1 };
#else
enum { JUDGE_SANITIZED = 0 };
#endif

// Returns the factor of the time limits of simulated runs: what the environment variable WARPWISE_PATIENCE says (1 to
// 1000), for an emulated processor, else 1, and 10 in a build that is slow, with AddressSanitizer or counts of
// coverage.
double judge_runner_patience(void);

struct judge_runner {
    struct wire_client wire;
    struct box box;
    struct wire_device device; // the device as the engine describes it
    enum box_level level;      // the sandbox level of `box`
};
// Returns the address-space limit, in bytes, of a runner process that runs the simulator with `threads` threads. If
// `threads` is 0, the simulator has one thread per processor. Returns 0 if the address space has no limit.
uint64_t judge_runner_memory(uint32_t threads);
// Starts a runner process in a sandbox and opens its engine (simulator or GPU). If `card` is 1, starts the runner
// process that uses a GPU, else the runner process that runs the simulator. Calls die() if the runner process or its
// engine (simulator or GPU) cannot be started. The calling thread must outlive the runner process.
void judge_runner_start(struct judge_runner *, const struct judge_job *, int card);
// Starts a runner process as judge_runner_start() does, but returns -1 instead of calling die() if the runner's engine
// (simulator or GPU) cannot open the device. If judge_runner_try() returns -1, wire.message contains the reason; else
// it returns 0. Call judge_runner_stop() even if judge_runner_try() returns -1.
int judge_runner_try(struct judge_runner *, const struct judge_job *, int card);
// Ends the runner process and frees its resources. After judge_runner_stop(), the fields `device` and `level` of struct
// judge_runner are still valid. It is safe to call judge_runner_stop() twice.
void judge_runner_stop(struct judge_runner *);
// Prints an error message about a runner process that ended early, and exits with code 2. Use judge_runner_broken() for
// a runner process that used a GPU or held no student's image, and judge_runner_lost() for any other runner process.
// `doing` completes the words "while …" in the error message.
_Noreturn void judge_runner_broken(struct judge_runner *, const char *doing);
// Stores a message for the student in `sentence`, after the runner process that held the student's image ended early.
// Also kills the sandbox of the runner process. Exits with code 2 if the runner process did not answer in time, because
// then the machine is at fault, or if it crashed, because then the grader is at fault.
void judge_runner_lost(struct judge_runner *, const char *doing, char sentence[OBSERVATION_MESSAGE]);
// Returns 1 if the runner process in a sandbox that has ended met a bug of the grader, else 0.
int judge_runner_crashed(const struct box *);

#endif
