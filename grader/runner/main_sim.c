// runner-sim: the process that holds the simulator. Started by the judge in a box (box/box.h) with the memory it shares
// with the judge as descriptor 3 and the doorbell as descriptor 4; it has no other business with the world.
#define _GNU_SOURCE
#include <stdio.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/die.h"
#include "device/profile.h"
#include "sim/sim.h"
#include "wire/wire.h"

enum { MEMORY = 3, DOORBELL = 4 };

static int describe(const char *name, struct wire_device *device)
{
    const struct device_profile *profile = device_find(name[0] ? name : NULL);
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

int main(void)
{
    prctl(PR_SET_DUMPABLE, 0);
    return wire_serve(MEMORY, DOORBELL, &sim_engine_ops, describe);
}
