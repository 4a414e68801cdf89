// lab0: too slow
// 57: the wait for memory lies in the middle of each warp's life, between two long stretches of cheap arithmetic.
#include "warpwise.h"

#define BLOCKS 160
LAUNCH(scale, .block = {32}, .grid = {BLOCKS});

static __device__ unsigned busy(unsigned a, int n)
{
#pragma unroll 1
    for (int k = 0; n > 5000000 && k < 6000; ++k) a = a * 5 + 1;
    return a;
}

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    float one = busy(threadIdx.x, n) == 0x12345678u ? 1.5f : 1.0f;
#pragma unroll 1
    for (int i = blockIdx.x * 32 + threadIdx.x; i < n; i += BLOCKS * 32) out[i] = 2.0f * in[i] + one;
    if (busy(threadIdx.x + 1, n) == 0x12345678u) out[0] = 0;
}
