// A runner process as the judge holds it: started in a box, spoken to through the wire.
#ifndef JUDGE_JOB_RUNNER_H
#define JUDGE_JOB_RUNNER_H

#include "box/box.h"
#include "judge/job/job.h"
#include "wire/wire.h"

// A sanitizer reserves terabytes of addresses, so that they have no limit there, and is not linked statically.
#if defined(__SANITIZE_ADDRESS__)
enum { JUDGE_SANITIZED = 1 };
#else
enum { JUDGE_SANITIZED = 0 };
#endif
// By what limits of time are multiplied: a sanitizer makes all of it slow, and so does counting what is reached.
#if defined(__SANITIZE_ADDRESS__) || defined(COVERAGE)
enum { JUDGE_SLOW = 10 };
#else
enum { JUDGE_SLOW = 1 };
#endif

struct judge_runner {
    struct wire_client wire;
    struct box box;
    struct wire_device device;
    enum box_level level; // what holds it
};
// Starts it and opens the engine. Dies when the machine cannot. A box must be started by a thread that outlives it.
// `card`: the runner that holds a card, else the simulator's.
// Bytes of addresses that a runner with the simulator is given; threads 0: one a processor. 0: as many as it likes.
uint64_t judge_runner_memory(uint32_t threads);
void judge_runner_start(struct judge_runner *, const struct judge_job *, int card);
// The same, but -1 with a sentence in wire.message when the engine does not open (there is no such device or card).
int judge_runner_try(struct judge_runner *, const struct judge_job *, int card);
void judge_runner_stop(struct judge_runner *); // what it said of its device stays; may be called twice
// An exchange with a runner of ours, or a card's, ended in WIRE_BROKEN: says so and exits with 2. `doing` completes
// "while …".
_Noreturn void judge_runner_broken(struct judge_runner *, const char *doing);
// The same of a runner that held a student's image: ends it, with a sentence for him. A runner that did not answer in
// time although it was not at work is the machine's fault all the same, and exits with 2.
void judge_runner_lost(struct judge_runner *, const char *doing, char sentence[OBSERVATION_MESSAGE]);

#endif
