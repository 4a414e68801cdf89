// The machine of a host program, as the grader holds it: the boxed runner that simulates the devices, and the record
// that it keeps of the run (wire/host_trace.h). The program itself is started by the caller, and knows neither.
#ifndef JUDGE_HOST_DEVICES_H
#define JUDGE_HOST_DEVICES_H

#include "box/box.h"
#include "wire/host_trace.h"

struct host_devices {
    int memory;                // of the record, shared with the runner
    struct box runner;         // box.output: what it said
    struct host_trace *record; // after host_devices_end: a checked copy; NULL: there is none, and `message` says why
    char message[OBSERVATION_MESSAGE];
};

// Starts `runner` (its path) with `options` (NULL-terminated, of runner-sim's --host) at the other end of a host
// client's memory and doorbell, which stay the caller's, as does the memory of a lab's exam (-1: there is none), whose
// runner has limits of memory and processor time. 0; or -1 with a sentence in *why: the machine's fault.
int host_devices_start(struct host_devices *, const char *runner, const char *const *options, int memory, int doorbell,
                       int exam, int open, struct text *why);
// Waits for the runner, which ends when every copy of the client's doorbell is closed, and reads the record. The runner
// has `patience_s` from now on, and is then killed.
void host_devices_end(struct host_devices *, double patience_s);
void host_devices_free(struct host_devices *);

#endif
