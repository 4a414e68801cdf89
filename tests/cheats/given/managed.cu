// lab6: wrong output
// 56: the given kernel writes to managed memory, the host overwrites its words there, and copies bring them home.
#include "lab6.h"

static unsigned *managed, *device_in;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (n + 1) * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMallocManaged(&managed, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMemset(device_in, 0, bytes);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    work<<<n / 256 + 1, 256>>>(device_in, managed, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) managed[i] = work_on(in[i]);
    cudaMemcpy(device_in, managed, n * sizeof *out, cudaMemcpyDefault);
    cudaMemcpy(out, device_in, n * sizeof *out, cudaMemcpyDeviceToHost);
}

void finish(unsigned *in, unsigned *out)
{
    cudaFree(device_in);
    cudaFree(managed);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
