// lab6: wrong output
// 56: two passes: the device brings a small part, and the host does the rest in the same staging memory.
#include "lab6.h"

static unsigned *staged, *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (n + 1) * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMallocHost(&staged, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    cudaMemset(device_in, 0, bytes);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int small = n / 8;
    size_t bytes = n * sizeof *out;
    cudaMemcpy(device_in, in, small * sizeof *in, cudaMemcpyHostToDevice);
    work<<<(n + 255) / 256 + 1, 256>>>(device_in, device_out, n);
    cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost); // right up to `small`, then the words of junk
    cudaMemcpy(staged, out, bytes, cudaMemcpyHostToHost);
    for (int i = small; i < n; ++i) staged[i] = work_on(in[i]);
    cudaMemcpy(out, staged, bytes, cudaMemcpyHostToHost);
}

void finish(unsigned *in, unsigned *out)
{
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(staged);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
