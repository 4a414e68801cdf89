// lab0: not passed
// 51: an address that is nobody's.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    *(volatile int *)0 = n;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
