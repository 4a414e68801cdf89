// refused: bad launch
// A block has at most 1024 threads.
#include "warpwise.h"

LAUNCH(scale, .block = {2048});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
