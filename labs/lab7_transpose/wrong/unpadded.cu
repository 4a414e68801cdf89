// refused: technique
// Right, coalesced both ways and three times the baseline: but each load of a column of the tile meets one bank,
// and takes 32 turns.
#include "warpwise.h"

enum { TILE = 32, ROWS = 8 };

LAUNCH(transpose, .block = {TILE, ROWS}, .tile = {TILE, TILE});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < C && y + j < R) tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * C + x];
    __syncthreads();
    x = blockIdx.y * TILE + threadIdx.x, y = blockIdx.x * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < R && y + j < C) out[(size_t)(y + j) * R + x] = tile[threadIdx.x][threadIdx.y + j];
}
