// refused: too slow
// Right, coalesced and free of conflicts, but a thread moves a single float, and 1024 of them wait at one barrier.
#include "warpwise.h"

enum { TILE = 32 };

LAUNCH(transpose, .block = {TILE, TILE});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < C && y < R) tile[threadIdx.y][threadIdx.x] = in[(size_t)y * C + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    if (x < R && y < C) out[(size_t)y * R + x] = tile[threadIdx.x][threadIdx.y];
}
