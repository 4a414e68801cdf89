// refused: unordered streams at line 27; unordered streams at line 28; unordered streams at line 29
// non-blocking streams, and the kernel was launched without its stream
// advice: line 28 names no stream: add ', 0, stream[s]' to its arguments
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
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int s = 0, first = 0; first < n; ++s, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        size_t bytes = count * sizeof(unsigned);
        cudaMemcpyAsync(device_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256>>>(device_in + first, device_out + first, count);
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
