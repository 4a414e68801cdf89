// stream-ordered allocation: cudaMallocAsync and cudaFreeAsync for each chunk inside the pipeline
#include "lab6.h"
#define STREAMS 8
static cudaStream_t stream[STREAMS];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
    cudaMemPool_t pool; // keep what was freed: the next round finds it
    unsigned long long keep = ~0ull;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    int chunk = (n + STREAMS - 1) / STREAMS;
    for (int s = 0, first = 0; first < n; ++s, first += chunk) {
        int count = n - first < chunk ? n - first : chunk;
        size_t bytes = count * sizeof(unsigned);
        unsigned *a, *b;
        cudaMallocAsync((void **)&a, bytes, stream[s]);
        cudaMallocAsync((void **)&b, bytes, stream[s]);
        cudaMemcpyAsync(a, in + first, bytes, cudaMemcpyHostToDevice, stream[s]);
        work<<<(count + 255) / 256, 256, 0, stream[s]>>>(a, b, count);
        cudaMemcpyAsync(out + first, b, bytes, cudaMemcpyDeviceToHost, stream[s]);
        cudaFreeAsync(a, stream[s]);
        cudaFreeAsync(b, stream[s]);
    }
    cudaDeviceSynchronize();
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
