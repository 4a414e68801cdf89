// Starts and ends the runner process that simulates the devices of a host program.
//
// The runner process writes its trace of the program's run to shared memory. The trace's shared memory is sealed, so
// the size of the memory cannot change. The judge copies the trace before it checks the trace, because the runner
// process may still write to the shared memory. The runner process has executed commands of a hostile program and may
// be under the program's control.
#define _GNU_SOURCE
#include "judge/host/device_runner.h"
#include "base/alloc.h"
#include "base/message.h"
#include "host/border/host.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/memory.h"
#include "base/text.h"
#include "judge/job/runner.h"

// The address space of a runner process that simulates devices for a test case is limited to
// judge_runner_memory(0) bytes. The address space of a runner process contains the memory of the simulated devices and
// all page-locked memory. A lab's test cases need at most a fifth of the address space. The instruction budget of the
// devices (option --budget) ends a program that keeps them busy. PROCESSOR_S limits the processor seconds of the runner
// process, and so ends a program whose work the budget does not count. A test case needs a hundredth of PROCESSOR_S.
// The command `./grade run`, which runs a program outside any lab, starts its runner process without these limits.
enum { SAID_MOST = 64 << 10, OPTIONS_MOST = 24, PROCESSOR_S = 15 };

int device_runner_start(struct host_devices *s, const char *runner, const char *const *options, int memory,
                        int doorbell, int io, int open, struct text *why)
{
    const char *argv[OPTIONS_MOST + 3] = {runner, "--host"};
    *s = (struct host_devices){.memory = memory_make_shared("warpwise-trace", sizeof(struct host_trace))};
    if (s->memory < 0) {
        text_say(why, "no memory for the record of the run: %s", strerror(errno));
        return -1;
    }
    for (unsigned i = 0; options[i]; ++i) {
        BUG_ON(i == OPTIONS_MOST);
        argv[i + 2] = options[i];
    }
    const char *const readable[] = {runner, NULL};
    int fds[] = {memory, doorbell, s->memory, io};
    struct box_spec spec = {.argv = argv,
                            .readable = readable,
                            .fds = fds,
                            .nfds = io < 0 ? 3 : 4,
                            .output = SAID_MOST,
                            .address_space = io < 0 ? 0 : judge_runner_memory(0),
                            .cpu_s = io < 0 ? 0 : (unsigned)(PROCESSOR_S * judge_runner_patience()),
                            // page-locked memory is a memory file that is shared with the program
                            .memory_files = 1,
                            .single = 1,
                            .open = open};
    return box_start(&spec, &s->runner, why);
}

static double seconds_of(const struct box *box)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)(t.tv_sec * 1000000000LL + t.tv_nsec - box->start_ns) / 1e9;
}

static void read_trace(struct host_devices *s)
{
    void *at = mmap(NULL, sizeof *s->trace, PROT_READ, MAP_SHARED, s->memory, 0);
    if (at == MAP_FAILED) die("cannot map the record of the run: %s", strerror(errno));
    s->trace = alloc_copy(at, sizeof *s->trace);
    munmap(at, sizeof *s->trace);
    char why[OBSERVATION_MESSAGE];
    if (!host_trace_check(s->trace, why)) return;
    message_print(s->message, sizeof s->message, "the record of the run is not valid: %s", why);
    free(s->trace);
    s->trace = NULL;
}

void device_runner_end(struct host_devices *s, double patience_s)
{
    s->runner.wall_s = seconds_of(&s->runner) + patience_s;
    box_wait((struct box *const[]){&s->runner}, 1);
    if (s->runner.end == BOX_EXITED && !s->runner.code) {
        read_trace(s);
    } else if (s->runner.end == BOX_TIMEOUT) {
        message_print(s->message, sizeof s->message, "the runner does not end");
    } else if (s->runner.end == BOX_SIGNALLED && s->runner.code == SIGXCPU) {
        message_print(s->message, sizeof s->message, "the simulated devices took more than %d seconds of the processor",
                      PROCESSOR_S);
    } else if (s->runner.end == BOX_SIGNALLED && s->runner.code == SIGKILL) {
        message_print(
            s->message, sizeof s->message,
            "the runner was killed: this machine has too little memory for what the program writes to its devices");
    } else {
        const char *output = s->runner.output.length ? s->runner.output.data : "";
        char said[OBSERVATION_MESSAGE];
        snprintf(said, sizeof said, "%.*s", (int)strcspn(output, "\n"), output);
        message_unmarshal(said, sizeof said, said);
        message_print(s->message, sizeof s->message,
                      s->runner.end == BOX_EXITED ? "the runner broke down (code %d)%s%s"
                                                  : N_("the runner broke down (signal %d)%s%s"),
                      s->runner.code, *said ? ": " : "", said);
    }
}

void device_runner_free(struct host_devices *s)
{
    box_free(&s->runner);
    free(s->trace);
    s->trace = NULL;
    if (s->memory >= 0) close(s->memory);
    s->memory = -1;
}
