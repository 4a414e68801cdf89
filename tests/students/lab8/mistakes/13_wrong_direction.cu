// refused: never written at line 29; unchecked error at line 28; wrong output
// the copy in says cudaMemcpyDeviceToHost: it fails, nobody looks, and the kernel reads what was never written
#include "lab8.h"

static unsigned *d_in[2], *d_out[2];
static cudaStream_t stream[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    cudaMallocHost(in, n * sizeof(unsigned));
    cudaMallocHost(out, n * sizeof(unsigned));
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
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
        cudaSetDevice(d);
        cudaMemcpyAsync(d_in[d], in + first[d], bytes, cudaMemcpyDeviceToHost, stream[d]);
        work<<<(count[d] + 255) / 256, 256, 0, stream[d]>>>(d_in[d], d_out[d], count[d]);
        cudaMemcpyAsync(out + first[d], d_out[d], bytes, cudaMemcpyDeviceToHost, stream[d]);
    }
    work_on_host(in + rest, out + rest, host);
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; d++) {
        cudaSetDevice(d);
        cudaStreamDestroy(stream[d]);
        cudaFree(d_in[d]);
        cudaFree(d_out[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
}
