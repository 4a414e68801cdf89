// lab0: too many instructions
// 50: a kernel without an end.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile int forever = 1;
    while (forever) continue;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
