// One run of a host lab's program: started for one case, on simulated devices of its own.
#ifndef JUDGE_HOST_RUN_H
#define JUDGE_HOST_RUN_H

#include "judge/host/devices.h"
#include "judge/verdict/verdict.h"
#include "wire/host_io.h"

struct host_run {
    const struct judge_job *job;
    const struct lab_case *which;
    struct arena arena; // the plan's
    struct lab_plan plan;
    struct host_devices devices;       // devices.trace is never NULL after the run
    struct host_io *io;                // a checked copy of the I/O block, with inputs, outputs and origins; owned
    struct box host;                   // of the program
    const char *last;                  // untranslated sentence: why later cases are not worth running; NULL: they are
    enum case_result result;           // CASE_RIGHT: the program reached its end, and outputs are not compared yet
    char message[OBSERVATION_MESSAGE]; // CASE_STOPPED: why
};

// Runs the program at `path` to its end. `image` has the given kernel. Dies if the machine is at fault. Free the run.
void host_run_start(struct host_run *, const struct judge_job *, const struct lab_case *, const char *path,
                    const struct text *image);
void host_run_free(struct host_run *);

// Compares the outputs with the expected values. Words that did not take the way that the lab asks for count as never
// written. Returns CASE_RIGHT; or CASE_WRONG with a sentence in run->message and the index of the first wrong output in
// *buffer.
enum case_result host_run_compare(struct host_run *, struct lab_comparison *, int *buffer, uint64_t *hash);
// Checks the outputs of the speed case. Where launches were sampled, an output may hold its input. Returns 0; or -1
// with a sentence in run->message.
int host_run_complete(struct host_run *);

#endif
