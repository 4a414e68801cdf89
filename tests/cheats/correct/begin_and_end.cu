// lab0: wrong output
// 25: what a sample would look at.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i < 1024 || i >= n - 1024 ? 2.0f * in[i] + 1.0f : 0.0f;
}
