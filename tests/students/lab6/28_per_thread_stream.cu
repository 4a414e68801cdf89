// each of four host threads uses its own default stream, cudaStreamPerThread
#include "lab6.h"
#include <thread>
#define THREADS 4
static unsigned *device_in, *device_out;

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (size_t)n * sizeof(unsigned);
    cudaMallocHost(in, bytes);
    cudaMallocHost(out, bytes);
    cudaMalloc(&device_in, bytes);
    cudaMalloc(&device_out, bytes);
}

static void part(const unsigned *in, unsigned *out, int n, int t)
{
    int pieces = THREADS * 3;
    for (int i = t; i < pieces; i += THREADS) {
        int first = (int)((long long)n * i / pieces), last = (int)((long long)n * (i + 1) / pieces), count = last - first;
        if (!count) continue;
        cudaMemcpyAsync(device_in + first, in + first, count * sizeof(unsigned), cudaMemcpyHostToDevice, cudaStreamPerThread);
        work<<<(count + 255) / 256, 256, 0, cudaStreamPerThread>>>(device_in + first, device_out + first, count);
        cudaMemcpyAsync(out + first, device_out + first, count * sizeof(unsigned), cudaMemcpyDeviceToHost, cudaStreamPerThread);
    }
    cudaStreamSynchronize(cudaStreamPerThread);
}

void pipeline(const unsigned *in, unsigned *out, int n)
{
    std::thread t[THREADS];
    for (int i = 0; i < THREADS; ++i) t[i] = std::thread(part, in, out, n, i);
    for (std::thread &x : t) x.join();
}

void finish(unsigned *in, unsigned *out)
{
    cudaFree(device_in);
    cudaFree(device_out);
    cudaFreeHost(in);
    cudaFreeHost(out);
}
