// lab0: bad launch
// 53: more than a block may have.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .shared = 1 << 30);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
