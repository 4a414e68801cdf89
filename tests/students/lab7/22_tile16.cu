// 16 x 16 threads and tile, one float each, padding 2
#include "warpwise.h"

LAUNCH(transpose, .block = {16, 16}, .tile = {16, 16});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[16][18];
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    if (x < C && y < R) tile[threadIdx.y][threadIdx.x] = in[(size_t)y * C + x];
    __syncthreads();
    x = blockIdx.y * 16 + threadIdx.x;
    y = blockIdx.x * 16 + threadIdx.y;
    if (x < R && y < C) out[(size_t)y * R + x] = tile[threadIdx.x][threadIdx.y];
}
