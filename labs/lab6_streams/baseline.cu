// Baseline of lab 6: page-locked memory, one stream, and each step waits for the one before. The engines take turns:
// while one copies or computes, the other two stand still.
#include "lab6.h"

static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    if (n == 0) return;
    cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);
    work<<<(n + 255) / 256, 256>>>(device_in, device_out, n);
    cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);
}

void finish(unsigned *in, unsigned *out)
{
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
