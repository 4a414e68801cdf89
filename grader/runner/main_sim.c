// This is the main program of runner-sim, the process that runs the simulator. Without the option --host, runner-sim is
// an engine of the judge. With the option --host, runner-sim simulates the devices and the virtual clock that a
// host program sees.
//
//   runner-sim                  the judge's engine: serves the wire protocol (wire/wire.h)
//   runner-sim --host [OPTION…] the devices of a host program: serves the host protocol (host/border/host.h)
//       --device NAME --devices N --check --no-time --deterministic --threads N --budget N --sample N
//
// The judge starts runner-sim in a sandbox (box/box.h), with the channel's memory as descriptor 3 and the channel's
// socket as descriptor 4. With the option --host, descriptor 5 may be memory for the host trace, and descriptor 6 the
// I/O block of a host test (host/border/host_io.h). If descriptor 5 is not memory for the host trace, runner-sim
// reports no findings.
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/die.h"
#include "base/memory.h"
#include "base/message.h"
#include "device/profile.h"
#include "host/devices/devices.h"
#include "sim/sim.h"
#include "wire/wire.h"

enum { MEMORY = 3, DOORBELL = 4, TRACE = 5, IO = 6 };

static int describe(const char *name, struct wire_device *device)
{
    const struct device_profile *profile = device_profile_find(name[0] ? name : NULL);
    if (!profile) return -1;
    snprintf(device->name, sizeof device->name, "%s", profile->name);
    snprintf(device->title, sizeof device->title, "%s", profile->title);
    device->sms = (uint32_t)profile->sms;
    device->shared_per_block = (uint32_t)profile->shared_per_block;
    device->capability = (uint32_t)profile->compute_capability;
    device->l2_bytes = (uint64_t)profile->l2_bytes;
    device->dram_mbs = (uint64_t)profile->dram_read_gbs * 1000;
    return 0;
}

// ---------------------------------------------------------------- a host program's devices

static uint64_t number(const char *option, const char *text)
{
    char *end = NULL;
    errno = 0;
    unsigned long long value = text ? strtoull(text, &end, 10) : 0;
    if (!text || errno || end == text || *end) die("option '%s' wants a number", option);
    return value;
}

static struct devices_options options_of(int argc, char *argv[])
{
    struct devices_options o = {.devices = 1};
    for (int i = 0; i < argc; i++) {
        const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
        if (!strcmp(option, "--check")) {
            o.checks = 1;
        } else if (!strcmp(option, "--no-time")) {
            o.no_time = 1;
        } else if (!strcmp(option, "--deterministic")) {
            o.deterministic = 1;
        } else {
            if (!strcmp(option, "--device") && value)
                o.device = value;
            else if (!strcmp(option, "--devices"))
                o.devices = (uint32_t)number(option, value);
            else if (!strcmp(option, "--threads"))
                o.threads = (uint32_t)number(option, value);
            else if (!strcmp(option, "--budget"))
                o.budget = number(option, value);
            else if (!strcmp(option, "--sample"))
                o.sample_inst = number(option, value);
            else
                die("runner-sim does not know '%s'", option);
            i++;
        }
    }
    return o;
}

static int serve_host(int argc, char *argv[])
{
    char message[OBSERVATION_MESSAGE] = "";
    struct devices_options options = options_of(argc, argv);
    uint64_t bytes = 0;
    struct host_trace *trace = memory_shared(TRACE, PROT_READ | PROT_WRITE, &bytes);
    if (trace && bytes < sizeof *trace) die("the host trace comes from another build: run 'make'");
    options.io = trace ? memory_shared(IO, PROT_READ | PROT_WRITE, &bytes) : NULL;
    if (options.io && !host_io_is_sound(options.io, bytes)) die("the I/O block comes from another build: run 'make'");
    struct devices *devices = devices_new(&options, trace, message);
    if (!devices) die("%s", message);
    struct host_handler handler = {.self = devices, .over = devices_is_over(devices), .obey = devices_obey};
    int goodbye = host_serve(MEMORY, DOORBELL, &handler, message);
    if (goodbye < 0) die("%s", message);
    devices_end(devices, 0, -1);
    devices_free(devices);
    return 0;
}

int main(int argc, char *argv[])
{
    memory_keep_freed();
    prctl(PR_SET_DUMPABLE, 0);
    message_marshal();
    if (argc > 1 && !strcmp(argv[1], "--host")) return serve_host(argc - 2, argv + 2);
    return wire_serve(MEMORY, DOORBELL, &sim_engine_ops, describe);
}
