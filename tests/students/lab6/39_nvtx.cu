// NVTX ranges for the profiler's timeline, std::chrono around the pipeline
#include "lab6.h"
#include <chrono>
#include <nvtx3/nvToolsExt.h>
#define STREAMS 8
static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS];
static double seconds;

void prepare(unsigned **in, unsigned **out, int n)
{
    nvtxRangePushA("prepare");
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
    nvtxRangePop();
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    auto begin = std::chrono::steady_clock::now();
    nvtxRangePushA("pipeline");
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int s = 0, first = 0; first < n; ++s, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
    }
    cudaDeviceSynchronize();
    nvtxRangePop();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
