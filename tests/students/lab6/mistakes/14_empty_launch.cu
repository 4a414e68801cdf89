// refused: unchecked error at line 29
// no guard for empty chunks: a launch with no block fails when n is small
// advice: launch nothing for no element: put 'if (count > 0)' before line 
#include "lab6.h"

#define STREAMS 8

static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int s = 0; s < STREAMS; ++s) {
        int first = s * chunk < n ? s * chunk : n;
        int count = n - first < chunk ? n - first : chunk;
        size_t bytes = count * sizeof(unsigned);
        cudaMemcpyAsync(device_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, bytes, cudaMemcpyDeviceToHost, stream[s]);
    }
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
