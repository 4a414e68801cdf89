// refused: early read at line 28; wrong output
// the thread for device 1 is detached, nobody waits for it
#include "lab8.h"

#include <thread>

static unsigned *a[2], *b[2];
static cudaStream_t stream[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaMalloc(&a[d], n * sizeof(unsigned));
        cudaMalloc(&b[d], n * sizeof(unsigned));
        cudaStreamCreate(&stream[d]);
    }
}

static void drive(int d, const unsigned *in, unsigned *out, int count)
{
    if (count == 0) return;
    cudaSetDevice(d);
    cudaMemcpyAsync(a[d], in, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[d]);
    work<<<(count + 255) / 256, 256, 0, stream[d]>>>(a[d], b[d], count);
    cudaMemcpyAsync(out, b[d], count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[d]);
    cudaStreamSynchronize(stream[d]);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 64, half = (n - host) / 2;
    std::thread(drive, 1, in + half, out + half, n - host - half).detach();
    std::thread zero(drive, 0, in, out, half);
    work_on_host(in + n - host, out + n - host, host);
    zero.join();
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamDestroy(stream[d]);
        cudaFree(a[d]);
        cudaFree(b[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
