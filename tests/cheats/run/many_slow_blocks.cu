// lab0: too many instructions
// 50: each block ends in time, all of them together do not.
#include "warpwise.h"

LAUNCH(scale, .block = {32});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? in[i] : 0.0f, w = v;
    for (int k = 0; k < 1000000; ++k) w = w * 1.0001f + v;
    if (i < n) out[i] = 2.0f * v + 1.0f + (w == 12345.678f);
}
