// Step 1: page-locked memory and asynchronous copies, all in one stream. Flaw: the host is free, but the device's engines
// still take turns, because a stream does one thing after the other.
#include "lab6.h"

static const int STREAMS = 1;
static cudaStream_t stream[STREAMS];
static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    size_t bytes = n * sizeof(unsigned);
    if (n == 0) return;
    cudaMemcpyAsync(device_in, in, bytes, cudaMemcpyHostToDevice, stream[0]);
    work<<<(n + 255) / 256, 256, 0, stream[0]>>>(device_in, device_out, n);
    cudaMemcpyAsync(out, device_out, bytes, cudaMemcpyDeviceToHost, stream[0]);
    cudaStreamSynchronize(stream[0]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
