// runner-gpu: the process that holds a card. Started by the judge like runner-sim (see main_sim.c), linked dynamically,
// as the driver can only be opened so; it needs nothing of CUDA to be built.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/message.h"
#include "gpu/gpu.h"
#include "wire/wire.h"

enum { MEMORY = 3, DOORBELL = 4 };

static int describe(const char *name, struct wire_device *device)
{
    struct gpu_card card;
    if (gpu_card_find(name, &card)) return -1;
    snprintf(device->name, sizeof device->name, "%s", card.name);
    snprintf(device->title, sizeof device->title, "%s", card.title);
    device->sms = card.sms;
    device->shared_per_block = card.shared_per_block;
    device->capability = card.capability;
    device->driver = card.driver;
    device->l2_bytes = card.l2_bytes;
    device->dram_mbs = card.dram_mbs;
    return 0;
}

int main(void)
{
    prctl(PR_SET_DUMPABLE, 0);
    message_hold();
    // What kernels print, the driver writes to standard output, as much as they like. Reports show what the simulator
    // printed, so nobody reads it here.
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1); // or a kernel's code is brought in while it is measured
    return wire_serve(MEMORY, DOORBELL, &gpu_engine_ops, describe);
}
