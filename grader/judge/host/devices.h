// The simulated devices of a host program: the runner that simulates them, in a box, and its trace of the run
// (wire/host_trace.h). The caller starts the program itself, which has access to neither.
#ifndef JUDGE_HOST_DEVICES_H
#define JUDGE_HOST_DEVICES_H

#include "box/box.h"
#include "wire/host_trace.h"

struct host_devices {
    int memory;               // descriptor of the trace's memory, shared with the runner
    struct box runner;        // box.output: what the runner printed
    struct host_trace *trace; // after host_devices_end(): a checked copy, owned; NULL: none, and `message` says why
    char message[OBSERVATION_MESSAGE];
};

// Starts `runner` (its path) with `options` (NULL-terminated, of runner-sim's --host) at the other end of a host
// client's memory and doorbell. `io`: memory of a lab's I/O block, whose runner has limits of memory and processor
// time; or -1. The descriptors stay the caller's. Returns 0; or -1 with a sentence in `why`: the machine is at fault.
int host_devices_start(struct host_devices *, const char *runner, const char *const *options, int memory, int doorbell,
                       int io, int open, struct text *why);
// Waits for the runner and reads the trace. The runner ends when every copy of the client's doorbell is closed. It is
// killed after `patience_s` seconds.
void host_devices_end(struct host_devices *, double patience_s);
void host_devices_free(struct host_devices *);

#endif
