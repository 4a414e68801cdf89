// OpenMP: the chunks of the loop are shared out among threads (one thread, if the compiler knows no OpenMP)
#include "lab6.h"
#ifdef _OPENMP
#include <omp.h>
#endif
#define CHUNKS 8

static unsigned *device_in, *device_out;
static cudaStream_t stream[CHUNKS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < CHUNKS; ++s) cudaStreamCreate(stream + s);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + CHUNKS - 1) / CHUNKS;
#pragma omp parallel for num_threads(4)
    for (int s = 0; s < CHUNKS; ++s) {
        int first = s * chunk, count = n - first < chunk ? n - first : chunk;
        if (count > 0) {
            cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
            work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
            cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
        }
    }
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < CHUNKS; ++s) cudaStreamDestroy(stream[s]);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
