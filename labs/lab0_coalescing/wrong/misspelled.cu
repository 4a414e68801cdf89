// refused: does not build
// Names are case-sensitive: threadidx is nothing.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadidx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
