// lab0: too slow
// 12: one lock around the kernel, so that blocks run one after the other on every card.
#include "warpwise.h"

enum { TILE = 4096 };
LAUNCH(scale, .block = {256}, .tile = {TILE});

__device__ unsigned lock;

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int first = blockIdx.x * TILE + threadIdx.x;
    if (threadIdx.x == 0) {
        while (atomicCAS(&lock, 0, 1)) continue;
        __threadfence();
    }
    __syncthreads();
    for (int k = 0; k < TILE; k += 256)
        if (first + k < n) out[first + k] = 2.0f * in[first + k] + 1.0f;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicExch(&lock, 0);
    }
}
