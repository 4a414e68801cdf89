// each warp has its own tile and waits only with __syncwarp; volatile out of habit
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 4}, .tile = {128, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ volatile float all[4][32][33];
    volatile float (*tile)[33] = all[threadIdx.y];
    const int lane = threadIdx.x;
    const int x0 = (blockIdx.x * 4 + threadIdx.y) * 32, y0 = blockIdx.y * 32;
    if (x0 >= C) return; // the whole warp
#pragma unroll 8
    for (int k = 0; k < 32; k++)
        if (x0 + lane < C && y0 + k < R) tile[k][lane] = in[(size_t)(y0 + k) * C + x0 + lane];
    __syncwarp();
#pragma unroll 8
    for (int k = 0; k < 32; k++)
        if (y0 + lane < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + lane] = tile[lane][k];
}
