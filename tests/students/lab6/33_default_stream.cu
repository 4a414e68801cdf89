// page-locked memory, but everything in the default stream
// not passed: technique; too slow
#include "lab6.h"
static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    if (n == 0) return;
    cudaMemcpyAsync(device_in, in, (size_t)n * sizeof(unsigned), cudaMemcpyHostToDevice);
    work<<<(n + 255) / 256, 256>>>(device_in, device_out, n);
    cudaMemcpyAsync(out, device_out, (size_t)n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
