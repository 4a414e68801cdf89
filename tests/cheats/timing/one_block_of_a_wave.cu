// lab0: too slow
// 12: one block does everything, and the grid is so small that no block is left out.
#include "warpwise.h"

LAUNCH(scale, .block = {1024}, .grid = {1320});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    if (blockIdx.x != 700 % gridDim.x) return;
    for (int k = threadIdx.x; k < n; k += blockDim.x) out[k] = 2.0f * in[k] + 1.0f;
}
