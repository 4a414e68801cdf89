// diagonal order of the blocks (Ruetsch and Micikevicius), for any number of tiles
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    int bx, by;
    if (gridDim.x == gridDim.y) {
        by = blockIdx.x;
        bx = (blockIdx.x + blockIdx.y) % gridDim.x;
    } else {
        int bid = blockIdx.x + gridDim.x * blockIdx.y;
        by = bid % gridDim.y;
        bx = (bid / gridDim.y + by) % gridDim.x;
    }
    int x = bx * 32 + threadIdx.x, y = by * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < C && y + i < R) tile[threadIdx.y + i][threadIdx.x] = in[(size_t)(y + i) * C + x];
    __syncthreads();
    x = by * 32 + threadIdx.x;
    y = bx * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8)
        if (x < R && y + i < C) out[(size_t)(y + i) * R + x] = tile[threadIdx.x][threadIdx.y + i];
}
