// Runs the program of a host lab for one test case and checks the program's outputs. Each run of the program has its
// own simulated devices.
#ifndef JUDGE_HOST_HOST_RUN_H
#define JUDGE_HOST_HOST_RUN_H

#include "host/border/host_io.h"
#include "judge/host/device_runner.h"
#include "judge/verdict/verdict.h"

struct host_run {
    const struct judge_job *job;
    const struct lab_case *which;
    struct arena arena; // memory of `plan`
    struct lab_plan plan;
    struct host_devices devices; // the simulated devices; devices.trace is never NULL after the run
    struct host_io *io;          // a checked copy of the I/O block, with inputs, outputs and origins; owned
    struct box host;             // the sandbox of the program
    // untranslated sentence that says why later cases should not be run; NULL: run later cases
    const char *last;
    enum case_result result;           // CASE_RIGHT: the program reached its end; outputs are not compared yet
    char message[OBSERVATION_MESSAGE]; // CASE_STOPPED: why the program was stopped
};

// Runs the program at `path` for one test case and waits until the program ends. `image` contains the PTX of the kernel
// that the lab supplies. Ends the grader by die() if a process cannot be started or the simulator crashes. Free the
// struct host_run with host_run_free().
void host_run_start(struct host_run *, const struct judge_job *, const struct lab_case *, const char *path,
                    const struct text *image);
// Frees the memory and ends the processes that the struct host_run owns. The struct host_run itself belongs to the
// caller.
void host_run_free(struct host_run *);

// Compares the program's outputs with the expected values. An output word counts as never written if it came neither
// from the lab's kernel nor from host code that the lab allows. Returns CASE_RIGHT or CASE_WRONG. If the result is
// CASE_WRONG, *buffer is the index of the first wrong output buffer, and run->message may contain a sentence that says
// why. Adds the output words that were compared with expected values to the hash *hash.
enum case_result host_run_compare(struct host_run *, struct lab_comparison *, int *buffer, uint64_t *hash);
// Checks that each output word of the speed case passed through the kernel that the lab supplies. Also accepts an
// output word that equals its input word, because a sampled launch does not run all blocks and copies the input words
// of the other blocks to the output. Returns 0, or -1 with a sentence in run->message.
int host_run_complete(struct host_run *);

#endif
