// Runs the simulated devices of a host program. A sandboxed runner process simulates the devices and records a trace of
// the program's run (host/border/host_trace.h). The caller of device_runner_start() starts the host program itself. The
// host program can access neither the runner process nor the trace.
#ifndef JUDGE_HOST_DEVICE_RUNNER_H
#define JUDGE_HOST_DEVICE_RUNNER_H

#include "box/box.h"
#include "host/border/host_trace.h"

struct host_devices {
    int memory;        // descriptor of the trace's memory, which is shared with the runner
    struct box runner; // the sandbox of the runner; runner.output contains what the runner printed
    // after device_runner_end(): a checked copy of the trace, owned; NULL: no trace, `message` says why
    struct host_trace *trace;
    char message[OBSERVATION_MESSAGE];
};

// Starts a runner process that simulates devices for a host program. `runner` is the path of the runner's executable
// file. `options` is a NULL-terminated list of options for `runner-sim --host`. `memory` and `doorbell` are the
// descriptors of the shared memory and the socket that connect the runner process to the program. `io` is the
// descriptor of the I/O block, the shared memory with the inputs and outputs of a lab's test case
// (host/border/host_io.h). `io` is -1 if there is no lab. If `io` is not -1, the address space and the processor time
// of the runner process are limited. `open` is 1 to run the runner process without a sandbox. The caller keeps
// ownership of all descriptors. Returns 0, or -1 with a sentence in `why` if the runner process cannot be started.
int device_runner_start(struct host_devices *, const char *runner, const char *const *options, int memory, int doorbell,
                        int io, int open, struct text *why);
// Waits until the runner process ends, and reads its trace. The runner process ends when every copy of the program's
// descriptor of the doorbell socket is closed. Kills the runner process after `patience_s` seconds.
void device_runner_end(struct host_devices *, double patience_s);
// Kills the runner process if it is still running. Frees the trace, and closes the descriptor of the trace's shared
// memory.
void device_runner_free(struct host_devices *);

#endif
