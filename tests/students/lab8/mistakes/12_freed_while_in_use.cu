// refused: freed in use at line 27; freed in use at line 28; freed in use at line 30; freed in use at line 31
// the threads that drive the devices free the memory in another stream than the one that uses it
#include "lab8.h"

#include <thread>

static cudaStream_t stream[2], other[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamCreateWithFlags(&stream[d], cudaStreamNonBlocking);
        cudaStreamCreateWithFlags(&other[d], cudaStreamNonBlocking);
    }
}

static void drive(int d, const unsigned *in, unsigned *out, int count)
{
    unsigned *a, *b;
    if (count == 0) return;
    cudaSetDevice(d);
    cudaMallocAsync(&a, count * sizeof(unsigned), stream[d]);
    cudaMallocAsync(&b, count * sizeof(unsigned), stream[d]);
    cudaMemcpyAsync(a, in, count * sizeof(unsigned), cudaMemcpyHostToDevice, stream[d]);
    work<<<(count + 255) / 256, 256, 0, stream[d]>>>(a, b, count);
    cudaMemcpyAsync(out, b, count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[d]);
    cudaFreeAsync(a, other[d]);
    cudaFreeAsync(b, other[d]);
    cudaDeviceSynchronize();
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 64, half = (n - host) / 2;
    std::thread zero(drive, 0, in, out, half), one(drive, 1, in + half, out + half, n - host - half);
    work_on_host(in + n - host, out + n - host, host);
    zero.join();
    one.join();
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamDestroy(stream[d]);
        cudaStreamDestroy(other[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
