// Reads the GPU's clock frequency, throttling and number of processes through NVML (libnvidia-ml.so.1), which comes
// with the driver. If NVML is missing or does not know a value, the value stays 0, and the judge draws no conclusion
// from the value 0. The names and numbers of NVML are from the NVML API reference.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>

#include "gpu/card.h"

enum {
    NVML_CLOCK_SM = 1,
    NVML_INSUFFICIENT_SIZE = 7,
    // These reasons for a reduced clock invalidate a measurement: power cap, hardware slowdown, software and hardware
    // thermal slowdown, power brake.
    NVML_THROTTLED = 0x4 | 0x8 | 0x20 | 0x40 | 0x80,
};

static struct {
    int ready;
    int (*init)(void);
    int (*by_bus)(const char *, void **);
    int (*clock)(void *, int, unsigned *);
    int (*clock_most)(void *, int, unsigned *);
    int (*reasons)(void *, unsigned long long *);
    int (*processes)(void *, unsigned *, void *);
} nvml;

static int find(void *library, const char *name, void *place)
{
    void *address = dlsym(library, name);
    memcpy(place, &address, sizeof address);
    return address ? 0 : -1;
}

static void open_once(void)
{
    nvml.ready = -1;
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!library || find(library, "nvmlInit_v2", &nvml.init) ||
        find(library, "nvmlDeviceGetHandleByPciBusId_v2", &nvml.by_bus) ||
        find(library, "nvmlDeviceGetClockInfo", &nvml.clock) ||
        find(library, "nvmlDeviceGetMaxClockInfo", &nvml.clock_most) ||
        find(library, "nvmlDeviceGetCurrentClocksThrottleReasons", &nvml.reasons) ||
        find(library, "nvmlDeviceGetComputeRunningProcesses_v3", &nvml.processes) || nvml.init())
        return;
    nvml.ready = 1;
}

void gpu_health(struct engine *e, struct engine_health *health)
{
    gpu_card_health(&e->card, health);
}

void gpu_card_health(const struct gpu_card *c, struct engine_health *health)
{
    void *card;
    unsigned now = 0, most = 0, processes = 0;
    unsigned long long reasons = 0;
    memset(health, 0, sizeof *health);
    if (!nvml.ready) open_once();
    if (nvml.ready < 0 || nvml.by_bus(c->bus, &card)) return;
    if (!nvml.clock(card, NVML_CLOCK_SM, &now)) health->clock_khz = now * 1000;
    if (!nvml.clock_most(card, NVML_CLOCK_SM, &most)) health->clock_most_khz = most * 1000;
    if (!nvml.reasons(card, &reasons)) health->throttled = (reasons & NVML_THROTTLED) != 0;
    // With room for no process, NVML returns the number of processes.
    if (nvml.processes(card, &processes, NULL) == NVML_INSUFFICIENT_SIZE) health->processes = processes;
}
