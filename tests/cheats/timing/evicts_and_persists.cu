// lab0: passed | too slow
// 11: loads that ask to stay in the cache.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v;
    asm volatile("ld.global.L2::128B.f32 %0, [%1];" : "=f"(v) : "l"(in + i));
    out[i] = 2.0f * v + 1.0f;
}
