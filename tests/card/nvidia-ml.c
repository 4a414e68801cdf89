// NVML for tests, beside the driver of cuda.c: libnvidia-ml.so.1. What the card says of itself stands in health.txt
// beside it: "throttled processes", two numbers; without that file it is well, and one process computes on it.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { INSUFFICIENT_SIZE = 7, HEAT = 0x20 };
static unsigned throttled, processes = 1;

int nvmlInit_v2(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **card);
int nvmlDeviceGetClockInfo(void *card, int which, unsigned *mhz);
int nvmlDeviceGetMaxClockInfo(void *card, int which, unsigned *mhz);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *card, unsigned long long *reasons);
int nvmlDeviceGetComputeRunningProcesses_v3(void *card, unsigned *count, void *list);

int nvmlInit_v2(void)
{
    Dl_info here;
    char path[4096];
    if (!dladdr((void *)nvmlInit_v2, &here)) return 1;
    snprintf(path, sizeof path, "%s", here.dli_fname);
    snprintf(strrchr(path, '/') + 1, 11, "health.txt");
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%u %u", &throttled, &processes) != 2) throttled = 0;
    if (file) fclose(file);
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **card)
{
    *card = &throttled;
    return strncmp(bus, "00000000:", 9) != 0;
}

int nvmlDeviceGetClockInfo(void *card, int which, unsigned *mhz)
{
    (void)card;
    *mhz = throttled ? 600 : 1000;
    return which != 1;
}

int nvmlDeviceGetMaxClockInfo(void *card, int which, unsigned *mhz)
{
    (void)card;
    *mhz = 1000;
    return which != 1;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *card, unsigned long long *reasons)
{
    (void)card;
    *reasons = throttled ? HEAT : 0;
    return 0;
}

int nvmlDeviceGetComputeRunningProcesses_v3(void *card, unsigned *count, void *list)
{
    (void)card, (void)list;
    *count = processes;
    return INSUFFICIENT_SIZE;
}
