// straight to its place, no tile: right, nothing more
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 16});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < R && c < C) out[(size_t)c * R + r] = in[(size_t)r * C + c];
}
