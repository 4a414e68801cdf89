// lab0: too many instructions
// 50: volatile stores to 16 MB, whose records are in no cache: a hundred times as slow as other instructions.
#include "warpwise.h"
LAUNCH(scale, .block = {256}, .tile = {256});

__device__ unsigned big[1 << 22];

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = i;
    while (n == 33 && i < 32) {
        x = x * 1664525 + 1013904223;
        ((volatile unsigned *)big)[(x >> 15) * 32 + threadIdx.x] = x;
    }
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
