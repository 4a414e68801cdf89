// lab0: speed case not run to its end
// 12: one block does everything, in the middle of the grid.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (blockIdx.x != 77 % gridDim.x) return;
    for (int k = threadIdx.x; k < n; k += blockDim.x) out[k] = 2.0f * in[k] + 1.0f;
}
