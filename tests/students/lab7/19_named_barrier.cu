// two halves of the block, each with its own tile and named barrier (bar.sync 1, 256 and bar.sync 2, 256)
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 16}, .tile = {64, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tiles[2][32][33];
    const int half = threadIdx.y / 8, ty = threadIdx.y % 8, tx = threadIdx.x;
    float (*tile)[33] = tiles[half];
    const int x0 = blockIdx.x * 64 + half * 32, y0 = blockIdx.y * 32;
    for (int k = ty; k < 32; k += 8)
        if (x0 + tx < C && y0 + k < R) tile[k][tx] = in[(size_t)(y0 + k) * C + x0 + tx];
    if (half == 0)
        asm volatile("bar.sync 1, 256;" ::: "memory");
    else
        asm volatile("bar.sync 2, 256;" ::: "memory");
    for (int k = ty; k < 32; k += 8)
        if (y0 + tx < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + tx] = tile[tx][k];
}
