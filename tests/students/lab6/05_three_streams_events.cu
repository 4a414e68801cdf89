// exercise 3: one stream for copies in, one for kernels, one for copies out, ordered by events, a buffer a chunk
#include "lab6.h"

#define CHUNKS 10

static unsigned *device_in, *device_out;
static cudaStream_t in_stream, work_stream, out_stream;
static cudaEvent_t copied[CHUNKS], worked[CHUNKS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaHostAlloc(in, bytes, cudaHostAllocDefault);
    cudaHostAlloc(out, bytes, cudaHostAllocDefault);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
    cudaStreamCreate(&in_stream);
    cudaStreamCreate(&work_stream);
    cudaStreamCreate(&out_stream);
    for (int i = 0; i < CHUNKS; ++i) {
        cudaEventCreateWithFlags(&copied[i], cudaEventDisableTiming);
        cudaEventCreateWithFlags(&worked[i], cudaEventDisableTiming);
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + CHUNKS - 1) / CHUNKS;
    for (int i = 0; i < CHUNKS; ++i) {
        int first = i * chunk;
        if (first >= n) break;
        int count = chunk;
        if (first + count > n) count = n - first;
        size_t bytes = count * sizeof(unsigned);
        cudaMemcpyAsync(device_in + first, in + first, bytes, cudaMemcpyHostToDevice, in_stream);
        cudaEventRecord(copied[i], in_stream);
        cudaStreamWaitEvent(work_stream, copied[i], 0);
        work<<<(count + 255) / 256, 256, 0, work_stream>>>(device_in + first, device_out + first, count);
        cudaEventRecord(worked[i], work_stream);
        cudaStreamWaitEvent(out_stream, worked[i], 0);
        cudaMemcpyAsync(out + first, device_out + first, bytes, cudaMemcpyDeviceToHost, out_stream);
    }
    cudaStreamSynchronize(out_stream);
}

void finish(unsigned *in, unsigned *out)
{
    for (int i = 0; i < CHUNKS; ++i) {
        cudaEventDestroy(copied[i]);
        cudaEventDestroy(worked[i]);
    }
    cudaStreamDestroy(in_stream);
    cudaStreamDestroy(work_stream);
    cudaStreamDestroy(out_stream);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
