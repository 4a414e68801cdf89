// lab0: too slow | technique
// 12: a ticket for each block, and a number that is called: blocks run one after the other.
#include "warpwise.h"

enum { TILE = 16384 };
LAUNCH(scale, .block = {256}, .tile = {TILE});

__device__ unsigned tickets, called;

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int first = blockIdx.x * TILE + threadIdx.x;
    if (threadIdx.x == 0) {
        unsigned mine = atomicAdd(&tickets, 1);
        while (*(volatile unsigned *)&called != mine) continue;
        __threadfence();
    }
    __syncthreads();
    for (int k = 0; k < TILE; k += 256)
        if (first + k < n) out[first + k] = 2.0f * in[first + k] + 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(&called, 1);
    }
}
