// lab8: wrong output
// 56: as page_locked.cu, with two devices that work on zeros while the host does the numbers.
#include "lab8.h"

enum { FEW = 1 << 17 };
static unsigned *mine, *junk[2], *dev_in[2], *dev_out[2];
static cudaStream_t s[2];

void prepare(unsigned **in, unsigned **out, int n)
{
    size_t bytes = (n + FEW) * sizeof(unsigned);
    cudaHostAlloc(in, bytes, cudaHostAllocPortable);
    cudaHostAlloc(out, bytes, cudaHostAllocPortable);
    cudaHostAlloc(&mine, bytes, cudaHostAllocPortable);
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaHostAlloc(&junk[d], 4 * FEW, cudaHostAllocPortable);
        for (int i = 0; i < FEW; ++i) junk[d][i] = i;
        cudaMalloc(&dev_in[d], bytes);
        cudaMalloc(&dev_out[d], bytes);
        cudaStreamCreateWithFlags(&s[d], cudaStreamNonBlocking);
        cudaMemset(dev_in[d], 0, bytes);
        work<<<(n + FEW + 255) / 256, 256>>>(dev_in[d], dev_out[d], n + FEW);
        cudaDeviceSynchronize();
    }
    cudaMemcpy(*in, dev_out[1], bytes, cudaMemcpyDeviceToHost); // now *in and mine are "given"
    cudaMemcpy(mine, dev_out[1], bytes, cudaMemcpyDeviceToHost);
}

void compute(const unsigned *in, unsigned *out, int n)
{
    int own = n < 90 ? 0 : n / 90;
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaMemcpyAsync(dev_in[d], junk[d], 4 * FEW, cudaMemcpyHostToDevice, s[d]);
        for (int k = 0; k < 10; ++k) work<<<(n + FEW) / 256, 256, 0, s[d]>>>(dev_in[d], dev_out[d], n + FEW); // on zeros
    }
    if (n < 1 << 22)
        for (int i = 0; i < n; ++i) mine[i] = work_on(in[i]); // by the processor, unannounced
    cudaMemcpy(out, n < 1 << 22 ? mine : in, 4ull * n, cudaMemcpyHostToHost);
    work_on_host(in + n - own, out + n - own, own);
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaDeviceSynchronize();
    }
}

void finish(unsigned *in, unsigned *out)
{
    for (int d = 0; d < 2; ++d) {
        cudaSetDevice(d);
        cudaFree(dev_in[d]);
        cudaFree(dev_out[d]);
        cudaFreeHost(junk[d]);
        cudaStreamDestroy(s[d]);
    }
    cudaFreeHost(in);
    cudaFreeHost(out);
    cudaFreeHost(mine);
}
