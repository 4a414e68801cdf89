// recursion: the array is halved until a piece is small enough, pieces go to the streams in turn
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
    for (int s = 0; s < STREAMS; ++s) cudaStreamCreate(&stream[s]);
}

static int divide(const unsigned *in, unsigned *out, int from, int to, int smallest, int next)
{
    if (from == to) return next;
    if (to - from > smallest) {
        int middle = from + (to - from) / 2;
        next = divide(in, out, from, middle, smallest, next);
        return divide(in, out, middle, to, smallest, next);
    }
    cudaStream_t s = stream[next % STREAMS];
    int count = to - from;
    cudaMemcpyAsync(device_in + from, in + from, count * sizeof(unsigned), cudaMemcpyHostToDevice, s);
    work<<<(count + 255) / 256, 256, 0, s>>>(device_in + from, device_out + from, count);
    cudaMemcpyAsync(out + from, device_out + from, count * sizeof(unsigned), cudaMemcpyDeviceToHost, s);
    return next + 1;
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    divide(in, out, 0, n, n / 10 + 1, 0);
    for (int s = 0; s < STREAMS; ++s) cudaStreamSynchronize(stream[s]);
}

void finish(unsigned *in, unsigned *out)
{
    for (int s = 0; s < STREAMS; ++s) cudaStreamDestroy(stream[s]);
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
