// lab0: does not build | not passed | passed
// 53: a million registers.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("{ .reg .b32 q<1000000>; mov.u32 q999999, 1; }");
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
