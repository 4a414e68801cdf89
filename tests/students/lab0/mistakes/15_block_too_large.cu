// refused: bad launch
// 2048 threads a block are more than a device takes
#include "warpwise.h"

LAUNCH(scale, .block = {2048}, .tile = {2048});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
