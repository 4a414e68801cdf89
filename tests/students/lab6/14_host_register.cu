// memory from aligned_alloc, page-locked afterwards with cudaHostRegister
#include "lab6.h"
#include <stdlib.h>
#define STREAMS 8
static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS];

static unsigned *pinned(size_t bytes)
{
    bytes = (bytes + 4095) / 4096 * 4096;
    if (bytes == 0) bytes = 4096;
    void *p = aligned_alloc(4096, bytes);
    if (!p || cudaHostRegister(p, bytes, cudaHostRegisterDefault) != cudaSuccess) abort();
    return (unsigned *)p;
}

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    *in = pinned(bytes);
    *out = pinned(bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int s = 0, first = 0; first < n; ++s, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
    }
    for (int s = 0; s < STREAMS; ++s) cudaStreamSynchronize(stream[s]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaHostUnregister(in);
    cudaHostUnregister(out);
    free(in);
    free(out);
}
