// refused: technique
// Right, without a tile, and well above the baseline: blocks 8 wide, so that a warp's loads still fill whole
// sectors and its stores half of each. The caches put the halves together.
#include "warpwise.h"

LAUNCH(transpose, .block = {8, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < R && c < C) out[(size_t)c * R + r] = in[(size_t)r * C + c];
}
