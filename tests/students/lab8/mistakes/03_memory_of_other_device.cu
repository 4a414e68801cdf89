// refused: bad address at line 22; wrong output
// compute() stays on device 0, whose kernel is given the memory of device 1
#include "lab8.h"

static unsigned *a[2], *b[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int gpu = 1; gpu >= 0; gpu--) {
        cudaSetDevice(gpu);
        cudaMalloc(&a[gpu], n * sizeof(unsigned));
        cudaMalloc(&b[gpu], n * sizeof(unsigned));
    }
}

static void share(int gpu, const unsigned *in, unsigned *out, int count)
{
    if (!count) return;
    cudaMemcpyAsync(a[gpu], in, count * sizeof(unsigned), cudaMemcpyHostToDevice);
    work<<<(count + 255) / 256, 256>>>(a[gpu], b[gpu], count);
    cudaMemcpyAsync(out, b[gpu], count * sizeof(unsigned), cudaMemcpyDeviceToHost);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 64, half = (n - host) / 2;
    share(0, in, out, half);
    share(1, in + half, out + half, n - host - half);
    work_on_host(in + n - host, out + n - host, host);
    for (int gpu = 1; gpu >= 0; gpu--) {
        cudaSetDevice(gpu);
        cudaDeviceSynchronize();
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int gpu = 1; gpu >= 0; gpu--) {
        cudaSetDevice(gpu);
        cudaFree(a[gpu]);
        cudaFree(b[gpu]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
