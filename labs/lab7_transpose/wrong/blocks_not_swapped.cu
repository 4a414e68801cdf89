// refused: out of bounds at line 19
// Elements change places inside the tile, the tile itself stays where it was: on a square matrix a wrong output,
// on others a store behind the end or rubbish from the tile.
#include "warpwise.h"

enum { TILE = 32, ROWS = 8 };

LAUNCH(transpose, .block = {TILE, ROWS}, .tile = {TILE, TILE});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[TILE][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < C && y + j < R) tile[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * C + x];
    __syncthreads();
    x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    for (int j = 0; j < TILE; j += ROWS)
        if (x < C && y + j < R) out[(size_t)(y + j) * R + x] = tile[threadIdx.x][threadIdx.y + j];
}
