// refused: out of bounds at line 10
// `<=` for `<`: one element beyond the end. Most allocations are rounded up, so a plain run shows nothing.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = 2.0f * in[i] + 1.0f;
}
