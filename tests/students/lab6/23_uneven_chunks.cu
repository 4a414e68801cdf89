// uneven chunks: small at both ends, large in the middle, from a table of parts of 64
#include "lab6.h"
static const int parts[] = {2, 4, 6, 8, 12, 12, 8, 6, 4, 2}; // 64 in all
#define STREAMS ((int)(sizeof parts / sizeof *parts))
static unsigned *device_in, *device_out;
static cudaStream_t stream[sizeof parts / sizeof *parts];

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
    int s = 0, part = 0, first = 0;
    while (s < STREAMS) {
        part += parts[s];
        int end = (int)((long long)n * part / 64), count = end - first;
        if (count) {
            cudaMemcpyAsync(&device_in[first], &in[first], count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
            work<<<(count + 255) / 256, 256, 0, stream[s]>>>(&device_in[first], &device_out[first], count);
            cudaMemcpyAsync(&out[first], &device_out[first], count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
        }
        first = end;
        s++;
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
