// Kernels that wait: clock(), pauses and events agree on how long, and streams wait side by side.
#include "check.h"

__global__ void wait_for(long long cycles)
{
    long long start = clock64();
    while (clock64() - start < cycles) continue;
}

__global__ void pause(unsigned ns, unsigned times)
{
    while (times--) __nanosleep(ns);
}

__global__ void watch(long long cycles, unsigned long long *ns)
{
    unsigned long long start, end;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    long long from = clock64();
    while (clock64() - from < cycles) continue;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(end));
    *ns = end - start;
}

static cudaEvent_t start, stop;

static double since_start(void)
{
    float ms;
    OK(cudaEventRecord(stop));
    OK(cudaEventSynchronize(stop));
    OK(cudaEventElapsedTime(&ms, start, stop));
    return ms;
}

static int near(double is, double wanted)
{
    return is > 0.95 * wanted && is < 1.05 * wanted;
}

int main()
{
    enum { STREAMS = 8 };
    cudaStream_t stream[STREAMS];
    unsigned long long *ns;
    int khz;
    OK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
    OK(cudaEventCreate(&start));
    OK(cudaEventCreate(&stop));
    OK(cudaMallocManaged(&ns, sizeof *ns));

    OK(cudaEventRecord(start));
    wait_for<<<1, 1>>>(khz); // a millisecond
    EXPECT(near(since_start(), 1));

    OK(cudaEventRecord(start));
    wait_for<<<4, 32>>>(khz); // all blocks at once
    EXPECT(near(since_start(), 1));

    OK(cudaEventRecord(start));
    pause<<<1, 32>>>(100000, 10);
    EXPECT(near(since_start(), 1));

    watch<<<1, 1>>>(khz, ns);
    OK(cudaDeviceSynchronize());
    EXPECT(near((double)*ns, 1e6));

    for (cudaStream_t &s : stream) OK(cudaStreamCreate(&s));
    OK(cudaEventRecord(start));
    for (cudaStream_t s : stream) wait_for<<<1, 1, 0, s>>>(khz);
    EXPECT(near(since_start(), 1));
    for (cudaStream_t s : stream) OK(cudaStreamDestroy(s));

    OK(cudaFree(ns));
    OK(cudaEventDestroy(start));
    OK(cudaEventDestroy(stop));
    return failed;
}
