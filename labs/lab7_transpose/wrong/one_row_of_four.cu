// refused: output never written
// The tile is 32 rows, the block 8: without a loop over the other 24, three quarters are never moved.
#include "warpwise.h"

enum { TILE = 32, ROWS = 8 };

LAUNCH(transpose, .block = {TILE, ROWS}, .tile = {TILE, TILE});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[ROWS][TILE + 1];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    if (x < C && y < R) tile[threadIdx.y][threadIdx.x] = in[(size_t)y * C + x];
    __syncthreads();
    if (x < C && y < R) out[(size_t)x * R + y] = tile[threadIdx.y][threadIdx.x];
}
