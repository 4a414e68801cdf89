// lab0: bad launch
// 18: a launch that no device takes: old outputs would stay.
#include "warpwise.h"

LAUNCH(scale, .block = {1024, 1024, 64});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
