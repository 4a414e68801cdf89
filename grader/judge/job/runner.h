// Starts runner processes of the judge. A runner executes kernels in a sandbox and obeys the judge's commands
// (wire/wire.h).
#ifndef JUDGE_JOB_RUNNER_H
#define JUDGE_JOB_RUNNER_H

#include "box/box.h"
#include "judge/job/job.h"
#include "wire/wire.h"

// JUDGE_SANITIZED is 1 in a build with AddressSanitizer. AddressSanitizer reserves terabytes of addresses, so this
// build has no address-space limit and no static linking.
#if defined(__SANITIZE_ADDRESS__)
enum { JUDGE_SANITIZED = 1 };
#else
enum { JUDGE_SANITIZED = 0 };
#endif
// JUDGE_SLOW multiplies all time limits. A build with AddressSanitizer is slow, and so is a build that counts coverage.
#if defined(__SANITIZE_ADDRESS__) || defined(COVERAGE)
enum { JUDGE_SLOW = 10 };
#else
enum { JUDGE_SLOW = 1 };
#endif

struct judge_runner {
    struct wire_client wire;
    struct box box;
    struct wire_device device; // the device as the engine describes it
    enum box_level level;      // the sandbox level of `box`
};
// Returns the address-space limit in bytes of a simulator's runner with `threads` threads. If `threads` is 0, the
// runner has one thread per processor. Returns 0 if there is no limit.
uint64_t judge_runner_memory(uint32_t threads);
// Starts a runner in a sandbox and opens its engine. If `card` is 1, starts the runner that holds a card, else the
// simulator's runner. Calls die() if the runner or its engine cannot be started. The calling thread must outlive the
// runner.
void judge_runner_start(struct judge_runner *, const struct judge_job *, int card);
// Starts a runner as judge_runner_start() does, but reports a missing device or card. Returns 0, or -1 if the engine
// cannot open the device. If the result is -1, wire.message contains the reason. Call judge_runner_stop() after 0 and
// after -1.
int judge_runner_try(struct judge_runner *, const struct judge_job *, int card);
// Ends the runner and frees its resources. `device` and `level` stay valid. judge_runner_stop() may be called twice.
void judge_runner_stop(struct judge_runner *);
// Prints an error message about a runner that ended early, and exits with 2. Call judge_runner_broken() for a card's
// runner, or for a runner without a student's image. `doing` completes the words "while …" in the message.
_Noreturn void judge_runner_broken(struct judge_runner *, const char *doing);
// Kills a runner that held a student's image and ended early. Stores a message for the student in `sentence`. Exits
// with 2 if the runner did not answer in time although the runner was not computing, because then the machine is at
// fault.
void judge_runner_lost(struct judge_runner *, const char *doing, char sentence[OBSERVATION_MESSAGE]);

#endif
