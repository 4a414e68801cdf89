// non-blocking streams with priorities; cudaHostAlloc with flags; write-combined input; waiting by event
#include "lab6.h"
#define STREAMS 9
static unsigned *device;
static cudaStream_t stream[STREAMS];
static cudaEvent_t done[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    int least = 0, greatest = 0;
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    cudaHostAlloc((void **)in, bytes, cudaHostAllocWriteCombined | cudaHostAllocPortable);
    cudaHostAlloc((void **)out, bytes, cudaHostAllocPortable);
    cudaMalloc((void **)&device, 2 * bytes); // both halves of one allocation
    for (int s = 0; s < STREAMS; ++s) {
        cudaStreamCreateWithPriority(&stream[s], cudaStreamNonBlocking, s % 2 ? least : greatest);
        cudaEventCreateWithFlags(&done[s], cudaEventDisableTiming | cudaEventBlockingSync);
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    unsigned *a = device, *b = device + n;
    int chunk = (n + STREAMS - 1) / STREAMS, used = 0;
    for (int first = 0; first < n; first += chunk, ++used) {
        int count = n - first < chunk ? n - first : chunk;
        cudaMemcpyAsync(a + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[used]);
        work<<<(count + 511) / 512, 512, 0, stream[used]>>>(a + first, b + first, count);
        cudaMemcpyAsync(out + first, b + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[used]);
        cudaEventRecord(done[used], stream[used]);
    }
    while (used > 0) cudaEventSynchronize(done[--used]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) {
        cudaEventDestroy(done[s]);
        cudaStreamDestroy(stream[s]);
    }
    cudaFree(device);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
