// refused: race at line 14; race at line 17; wrong output
// grid stride over tiles with one barrier a turn: the next tile is stored while a slow warp still reads this one
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .per_sm = 8);

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    const int across = (C + 31) / 32, down = (R + 31) / 32, blocks = gridDim.x * gridDim.y, tx = threadIdx.x;
    for (int t = blockIdx.y * gridDim.x + blockIdx.x; t < across * down; t += blocks) {
        const int x0 = t % across * 32, y0 = t / across * 32;
        for (int k = threadIdx.y; k < 32; k += 8)
            if (x0 + tx < C && y0 + k < R) tile[k][tx] = in[(size_t)(y0 + k) * C + x0 + tx];
        __syncthreads();
        for (int k = threadIdx.y; k < 32; k += 8)
            if (y0 + tx < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + tx] = tile[tx][k];
    }
}
