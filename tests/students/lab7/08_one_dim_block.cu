// one-dimensional block of 256, warp and lane by shifts
#include "warpwise.h"

LAUNCH(transpose, .block = {256}, .tile = {32, 32});

extern "C" __global__ void __launch_bounds__(256) transpose(const float *__restrict__ in, float *__restrict__ out, int R, int C)
{
    __shared__ float s[32][33];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int col = (blockIdx.x << 5) + lane, row = (blockIdx.y << 5) + warp;
    float v[4];
#pragma unroll
    for (int k = 0; k < 4; k++) v[k] = col < C && row + 8 * k < R ? __ldg(&in[(long)(row + 8 * k) * C + col]) : 0;
#pragma unroll
    for (int k = 0; k < 4; k++) s[warp + 8 * k][lane] = v[k];
    __syncthreads();
    col = (blockIdx.y << 5) + lane;
    row = (blockIdx.x << 5) + warp;
#pragma unroll
    for (int k = 0; k < 4; k++)
        if (col < R && row + 8 * k < C) out[(long)(row + 8 * k) * R + col] = s[lane][warp + 8 * k];
}
