// a whole test program left in the file: main(), cudaMallocManaged, <<<>>>, printf under #ifdef in the kernel
#include <stdio.h>
#include <stdlib.h>
#include "warpwise.h"

#define THREADS 256

LAUNCH(histogram, .block = {THREADS}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        count[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned v = in[i];
#ifdef DEBUG
        printf("block %d thread %d counts %u\n", blockIdx.x, threadIdx.x, v);
#endif
        atomicAdd(&count[v & 255], 1u);
    }
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x)
        atomicAdd(&bins[b], count[b]);
}

int main(void)
{
    int n = 1000003;
    unsigned *in, *bins, expected[256] = {0};
    cudaMallocManaged(&in, n * sizeof(unsigned));
    cudaMallocManaged(&bins, 256 * sizeof(unsigned));
    for (int i = 0; i < n; i++) {
        in[i] = rand();
        expected[in[i] & 255]++;
    }
    for (int b = 0; b < 256; b++) bins[b] = 0;
    histogram<<<132 * 8, THREADS>>>(in, bins, n);
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess) {
        printf("%s\n", cudaGetErrorString(e));
        return 1;
    }
    for (int b = 0; b < 256; b++)
        if (bins[b] != expected[b]) {
            printf("bin %d: %u, expected %u\n", b, bins[b], expected[b]);
            return 1;
        }
    puts("ok");
    cudaFree(in);
    cudaFree(bins);
}
