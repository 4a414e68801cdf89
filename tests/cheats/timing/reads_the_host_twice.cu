// lab8: too slow
// 57: kernels read every number over the bus, twice, and only a sample of blocks pays for it.
#include "lab8.h"

static const int DEVICES = 2;
static unsigned *device_out[DEVICES];
static cudaStream_t stream[DEVICES];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaHostAlloc(in, n * sizeof(unsigned) + 4, cudaHostAllocPortable | cudaHostAllocMapped);
    cudaHostAlloc(out, n * sizeof(unsigned) + 4, cudaHostAllocPortable);
    for (int d = 0; d < DEVICES; d++) {
        cudaSetDevice(d);
        cudaStreamCreate(&stream[d]);
        cudaMalloc(&device_out[d], n * sizeof(unsigned) + 4);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int own = n / 64, half = (n - own) / 2;
    for (int d = 0; d < DEVICES; d++) {
        int first = d * half, count = d ? n - own - half : half;
        if (!count) continue;
        cudaSetDevice(d);
        for (int twice = 0; twice < 2; twice++)
            work<<<(count + 255) / 256, 256, 0, stream[d]>>>(in + first, device_out[d], count);
        cudaMemcpyAsync(out + first, device_out[d], count * sizeof(unsigned), cudaMemcpyDeviceToHost, stream[d]);
    }
    work_on_host(in + n - own, out + n - own, own);
    for (int d = 0; d < DEVICES; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < DEVICES; d++) {
        cudaSetDevice(d);
        cudaFree(device_out[d]);
        cudaStreamDestroy(stream[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
