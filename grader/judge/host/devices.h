// Runs the simulated devices of a host program. A runner in a sandbox simulates the devices and records a trace of the
// run (wire/host_trace.h). The caller starts the program itself. The program can access neither the runner nor the
// trace.
#ifndef JUDGE_HOST_DEVICES_H
#define JUDGE_HOST_DEVICES_H

#include "box/box.h"
#include "wire/host_trace.h"

struct host_devices {
    int memory;        // descriptor of the trace's memory, which is shared with the runner
    struct box runner; // the sandbox of the runner; runner.output contains what the runner printed
    // after host_devices_end(): a checked copy of the trace, owned; NULL: no trace, `message` says why
    struct host_trace *trace;
    char message[OBSERVATION_MESSAGE];
};

// Starts a runner that simulates devices for a host client. `runner` is the runner's path. `options` are the options of
// runner-sim's --host, NULL-terminated. `memory` and `doorbell` are the descriptors that connect the runner to the
// client. `io` is the memory of a lab's I/O block, or -1. With an I/O block, the runner's memory and processor time are
// limited. `open` is 1 to run without a sandbox. The caller keeps ownership of all descriptors. Returns 0, or -1 with a
// sentence in `why` if the machine is at fault.
int host_devices_start(struct host_devices *, const char *runner, const char *const *options, int memory, int doorbell,
                       int io, int open, struct text *why);
// Waits until the runner ends, and reads the trace. The runner ends when every copy of the client's doorbell is closed.
// The runner is killed after `patience_s` seconds.
void host_devices_end(struct host_devices *, double patience_s);
// Kills the runner if the runner is still running, and frees the trace and the descriptor of its memory.
void host_devices_free(struct host_devices *);

#endif
