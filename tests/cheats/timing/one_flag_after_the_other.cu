// lab0: too slow
// 12: each block waits for the flag of the block before it.
#include "warpwise.h"

enum { TILE = 4096 };
LAUNCH(scale, .block = {256}, .tile = {TILE});

__device__ unsigned done[1 << 13];

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int first = blockIdx.x * TILE + threadIdx.x, last = blockIdx.x == gridDim.x - 1;
    if (threadIdx.x == 0 && blockIdx.x) {
        while (!*(volatile unsigned *)&done[blockIdx.x - 1]) continue;
        __threadfence();
        *(volatile unsigned *)&done[blockIdx.x - 1] = 0;
    }
    __syncthreads();
    for (int k = 0; k < TILE; k += 256)
        if (first + k < n) out[first + k] = 2.0f * in[first + k] + 1.0f;
    __syncthreads();
    if (threadIdx.x == 0 && !last) {
        __threadfence();
        *(volatile unsigned *)&done[blockIdx.x] = 1;
    }
}
