// refused: unchecked error at line 13
// devices are counted from 1: cudaSetDevice(2) fails, and what was meant for it goes to device 1, too
#include "lab8.h"

static unsigned *d_in[2], *d_out[2];
static cudaStream_t stream[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d + 1);
        cudaMalloc(&d_in[d], (n / 2 + 1) * sizeof(unsigned));
        cudaMalloc(&d_out[d], (n / 2 + 1) * sizeof(unsigned));
        cudaStreamCreate(&stream[d]);
    }
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int host = n / 64, rest = n - host;
    int first[2] = {0, rest / 2}, count[2] = {rest / 2, rest - rest / 2};
    for (int d = 0; d < 2; d++) {
        size_t bytes = count[d] * sizeof(unsigned);
        if (count[d] == 0) continue;
        cudaSetDevice(d + 1);
        cudaMemcpyAsync(d_in[d], in + first[d], bytes, cudaMemcpyHostToDevice, stream[d]);
        work<<<(count[d] + 255) / 256, 256, 0, stream[d]>>>(d_in[d], d_out[d], count[d]);
        cudaMemcpyAsync(out + first[d], d_out[d], bytes, cudaMemcpyDeviceToHost, stream[d]);
    }
    work_on_host(in + rest, out + rest, host);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d + 1);
        cudaDeviceSynchronize();
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d + 1);
        cudaStreamDestroy(stream[d]);
        cudaFree(d_in[d]);
        cudaFree(d_out[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
