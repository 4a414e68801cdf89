// lab0: bad launch
// 18: numbers that wrap.
#include "warpwise.h"

LAUNCH(scale, .block = {(unsigned)-256}, .tile = {(unsigned)-1, (unsigned)-1});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
