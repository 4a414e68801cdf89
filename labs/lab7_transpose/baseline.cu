// Baseline of lab 7: an element a thread, straight from its place to its place.
//
// Loads are coalesced: lanes run along a row of `in`. The stores of a warp then run down a column of `out`: 32 lanes,
// 32 sectors, of each of which 4 bytes of 32 are new.
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 16});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < R && c < C) out[(size_t)c * R + r] = in[(size_t)r * C + c];
}
