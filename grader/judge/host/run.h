// One sitting of a host lab's program: started once, for one case, on a machine of its own.
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
    struct host_devices machine; // machine.record: what the devices did; never NULL afterwards
    struct host_io *io;          // a checked copy, with what stands behind it; owned
    struct box host;
    const char *last;        // a sentence, to be translated: why another case is not worth running; NULL: it is
    enum case_result result; // RIGHT: the program came to its end; outputs are not looked at yet
    char message[OBSERVATION_MESSAGE]; // STOPPED: why
};

// Runs the program at `path`. `image` has the given kernel. Dies when the machine is at fault. Free it.
void host_run_start(struct host_run *, const struct judge_job *, const struct lab_case *, const char *path,
                    const struct text *image);
void host_run_free(struct host_run *);

// Compares the outputs with what is expected: words that did not come as the lab asks count as never written.
// CASE_RIGHT or CASE_WRONG with a sentence in message, and the first wrong output's index in *buffer.
enum case_result host_run_compare(struct host_run *, struct lab_comparison *, int *buffer, uint64_t *hash);
// The speed case's, which may hold inputs where a launch was sampled. 0; or -1 with a sentence in message.
int host_run_complete(struct host_run *);

#endif
