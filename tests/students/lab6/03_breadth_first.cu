// breadth first: all copies in, all kernels, all copies out; 16 streams; a checking macro
#include "lab6.h"
#include <stdio.h>
#include <stdlib.h>

#define N_STREAMS 16
#define CHECK(call)                                                                                  \
    do {                                                                                             \
        cudaError_t e = (call);                                                                      \
        if (e != cudaSuccess) {                                                                      \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e));    \
            exit(EXIT_FAILURE);                                                                      \
        }                                                                                            \
    } while (0)

struct chunk { int first, count; };

static cudaStream_t streams[N_STREAMS];
static struct chunk chunks[N_STREAMS];
static unsigned *din, *dout;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof **in;
    CHECK(cudaMallocHost(in, bytes ? bytes : 4));
    CHECK(cudaMallocHost(out, bytes ? bytes : 4));
    CHECK(cudaMalloc(&din, bytes ? bytes : 4));
    CHECK(cudaMalloc(&dout, bytes ? bytes : 4));
    for (int i = 0; i < N_STREAMS; i++) {
        CHECK(cudaStreamCreate(&streams[i]));
        chunks[i].first = (int)((long long)n * i / N_STREAMS);
        chunks[i].count = (int)((long long)n * (i + 1) / N_STREAMS) - chunks[i].first;
    }
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    (void)n;
    for (int i = 0; i < N_STREAMS; i++)
        if (chunks[i].count)
            CHECK(cudaMemcpyAsync(din + chunks[i].first, in + chunks[i].first, chunks[i].count * sizeof *in, cudaMemcpyHostToDevice, streams[i]));
    for (int i = 0; i < N_STREAMS; i++)
        if (chunks[i].count) {
            work<<<(chunks[i].count + 255) / 256, 256, 0, streams[i]>>>(din + chunks[i].first, dout + chunks[i].first, chunks[i].count);
            CHECK(cudaGetLastError());
        }
    for (int i = 0; i < N_STREAMS; i++)
        if (chunks[i].count)
            CHECK(cudaMemcpyAsync(out + chunks[i].first, dout + chunks[i].first, chunks[i].count * sizeof *out, cudaMemcpyDeviceToHost, streams[i]));
    for (int i = 0; i < N_STREAMS; i++) CHECK(cudaStreamSynchronize(streams[i]));
}

void finish(unsigned *in, unsigned *out)
{
    for (int i = 0; i < N_STREAMS; i++) CHECK(cudaStreamDestroy(streams[i]));
    CHECK(cudaFree(din));
    CHECK(cudaFree(dout));
    CHECK(cudaFreeHost(in));
    CHECK(cudaFreeHost(out));
}
