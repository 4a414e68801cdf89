// lab0: out of bounds
// 28: the bytes around an array, with what may stand there.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
    if (i < 8) out[n + i] = out[-1 - i] = 0.0f;
}
