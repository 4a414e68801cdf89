// refused: unordered streams at line 32; unordered streams at line 34
// the event is recorded before the copy that the kernel has to wait for
#include "lab6.h"

#define STREAMS 8

static unsigned *device_in, *device_out;
static cudaStream_t stream[3];
static cudaEvent_t copied[STREAMS], worked[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    for (int s = 0; s < 3; ++s) cudaStreamCreate(&stream[s]);
    for (int s = 0; s < STREAMS; ++s) {
        cudaEventCreate(&copied[s]);
        cudaEventCreate(&worked[s]);
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int s = 0, first = 0; first < n; ++s, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        size_t bytes = count * sizeof(unsigned);
        cudaEventRecord(copied[s], stream[0]);
        cudaMemcpyAsync(device_in + first, in + first, bytes, cudaMemcpyHostToDevice, stream[0]);
        cudaStreamWaitEvent(stream[1], copied[s], 0);
        work<<<(count + 255) / 256, 256, 0, stream[1]>>>(device_in + first, device_out + first, count);
        cudaEventRecord(worked[s], stream[1]);
        cudaStreamWaitEvent(stream[2], worked[s], 0);
        cudaMemcpyAsync(out + first, device_out + first, bytes, cudaMemcpyDeviceToHost, stream[2]);
    }
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < 3; ++s) cudaStreamDestroy(stream[s]);
    for (int s = 0; s < STREAMS; ++s) {
        cudaEventDestroy(copied[s]);
        cudaEventDestroy(worked[s]);
    }
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
