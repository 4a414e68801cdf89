// lab0: wrong output
// 23: every other element.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 2 == 0) out[i] = 2.0f * in[i] + 1.0f;
    else if (i < n) out[i] = 0.0f;
}
