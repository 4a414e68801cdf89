// the host polls with cudaStreamQuery and cudaEventQuery until nothing is left
#include "lab6.h"
#include <stdbool.h>
#include <stdio.h>
#define STREAMS 4
#define CHUNKS 16
static unsigned *device_in, *device_out;
static cudaStream_t stream[STREAMS];
static cudaEvent_t last[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamCreate(&stream[s]);
        cudaEventCreate(&last[s]);
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + CHUNKS - 1) / CHUNKS;
    for (int i = 0; i * chunk < n; ++i) {
        int first = i * chunk, count = n - first < chunk ? n - first : chunk, s = i % STREAMS;
        cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[s]);
    }
    for (int s = 0; s < STREAMS; ++s) cudaEventRecord(last[s], stream[s]);
    bool all = false;
    while (!all) {
        all = true;
        for (int s = 0; s < STREAMS; ++s) {
            cudaError_t e = s % 2 ? cudaStreamQuery(stream[s]) : cudaEventQuery(last[s]);
            if (e == cudaErrorNotReady) {
                all = false;
                (void)cudaGetLastError();
            } else if (e != cudaSuccess) {
                fprintf(stderr, "%s\n", cudaGetErrorString(e));
                return;
            }
        }
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamDestroy(stream[s]);
        cudaEventDestroy(last[s]);
    }
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
