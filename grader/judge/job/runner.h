// A runner process of the judge: started in a box, and driven through the wire.
#ifndef JUDGE_JOB_RUNNER_H
#define JUDGE_JOB_RUNNER_H

#include "box/box.h"
#include "judge/job/job.h"
#include "wire/wire.h"

// A sanitizer reserves terabytes of addresses, so a sanitized build has no limit of address space and no static
// linking.
#if defined(__SANITIZE_ADDRESS__)
enum { JUDGE_SANITIZED = 1 };
#else
enum { JUDGE_SANITIZED = 0 };
#endif
// Factor of all time limits: a sanitized build is slow, and so is a build that counts coverage.
#if defined(__SANITIZE_ADDRESS__) || defined(COVERAGE)
enum { JUDGE_SLOW = 10 };
#else
enum { JUDGE_SLOW = 1 };
#endif

struct judge_runner {
    struct wire_client wire;
    struct box box;
    struct wire_device device; // as the engine describes it
    enum box_level level;      // of the box
};
// Returns the bytes of address space for a simulator's runner with that many threads (0: one a processor); 0:
// unlimited.
uint64_t judge_runner_memory(uint32_t threads);
// Starts a runner in a box and opens its engine: with `card` the runner that holds a card, else the simulator's. Dies
// if the machine cannot. The calling thread must outlive the box.
void judge_runner_start(struct judge_runner *, const struct judge_job *, int card);
// Does the same. Returns 0; or -1 with a sentence in wire.message if the engine does not open, because there is no such
// device or card.
int judge_runner_try(struct judge_runner *, const struct judge_job *, int card);
// Ends the runner. `device` and `level` stay. May be called twice.
void judge_runner_stop(struct judge_runner *);
// Says that a runner without a student's image, or a card's runner, broke, and exits with 2. `doing` completes "while
// …".
_Noreturn void judge_runner_broken(struct judge_runner *, const char *doing);
// Ends a broken runner that held a student's image, with a sentence for the student. If the runner did not answer in
// time although it was not computing, the machine is at fault: exits with 2.
void judge_runner_lost(struct judge_runner *, const char *doing, char sentence[OBSERVATION_MESSAGE]);

#endif
