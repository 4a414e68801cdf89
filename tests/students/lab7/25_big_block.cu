// 1024 threads, one element each, padded
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < C && y < R) tile[threadIdx.y][threadIdx.x] = in[(size_t)y * C + x];
    __syncthreads();
    int ox = blockIdx.y * 32 + threadIdx.x, oy = blockIdx.x * 32 + threadIdx.y;
    if (ox < R && oy < C) out[(size_t)oy * R + ox] = tile[threadIdx.x][threadIdx.y];
}
