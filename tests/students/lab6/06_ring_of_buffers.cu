// three streams and a ring of three small device buffers; events in both directions, none is filled before it is empty
#include "lab6.h"

enum { SLOTS = 3, CHUNKS = 12 };

struct slot {
    unsigned *in, *out;
    cudaEvent_t filled, computed, emptied;
};
static struct slot ring[SLOTS];
static cudaStream_t h2d, compute, d2h;
static int chunk;

void prepare(unsigned **in, unsigned **out, int n)
{
    chunk = (n + CHUNKS - 1) / CHUNKS;
    cudaMallocHost(in, n ? n * sizeof(unsigned) : 1);
    cudaMallocHost(out, n ? n * sizeof(unsigned) : 1);
    for (struct slot *s = ring; s < ring + SLOTS; s++) {
        cudaMalloc(&s->in, (chunk + 1) * sizeof(unsigned));
        cudaMalloc(&s->out, (chunk + 1) * sizeof(unsigned));
        cudaEventCreate(&s->filled);
        cudaEventCreate(&s->computed);
        cudaEventCreate(&s->emptied);
    }
    cudaStreamCreate(&h2d);
    cudaStreamCreate(&compute);
    cudaStreamCreate(&d2h);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    for (int i = 0; i * chunk < n; i++) {
        struct slot *s = &ring[i % SLOTS];
        int first = i * chunk, count = n - first > chunk ? chunk : n - first;
        if (i >= SLOTS) cudaStreamWaitEvent(h2d, s->computed, 0); // the kernel has read the last filling
        cudaMemcpyAsync(s->in, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, h2d);
        cudaEventRecord(s->filled, h2d);
        cudaStreamWaitEvent(compute, s->filled, 0);
        if (i >= SLOTS) cudaStreamWaitEvent(compute, s->emptied, 0); // the last result has left
        work<<<(count + 255) / 256, 256, 0, compute>>>(s->in, s->out, count);
        cudaEventRecord(s->computed, compute);
        cudaStreamWaitEvent(d2h, s->computed, 0);
        cudaMemcpyAsync(out + first, s->out, count * sizeof(unsigned), cudaMemcpyDeviceToHost, d2h);
        cudaEventRecord(s->emptied, d2h);
    }
    cudaStreamSynchronize(d2h);
}

void finish(unsigned *in, unsigned *out)
{
    for (struct slot *s = ring; s < ring + SLOTS; s++) {
        cudaFree(s->in);
        cudaFree(s->out);
        cudaEventDestroy(s->filled);
        cudaEventDestroy(s->computed);
        cudaEventDestroy(s->emptied);
    }
    cudaStreamDestroy(h2d);
    cudaStreamDestroy(compute);
    cudaStreamDestroy(d2h);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
