// Baseline of lab 8: one device does all of it, and each step waits for the one before. The other device and the host's
// processor stand still.
#include "lab8.h"

static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
}

void compute(const unsigned *in, unsigned *out, int n)
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
