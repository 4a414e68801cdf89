// refused: output never written; wrong output
// two tiles side by side with one guard for both, as in published code: the last columns are missing
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 16}, .tile = {64, 16});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[16][66];
    const int tx = threadIdx.x, ty = threadIdx.y, t = ty * 32 + tx, cx = t % 16, cy = t / 16;
    const int x = blockIdx.x * 64 + tx, y = blockIdx.y * 16 + ty;
    if (x + 32 < C && y < R) {
        tile[ty][tx] = in[(size_t)y * C + x];
        tile[ty][tx + 32] = in[(size_t)y * C + x + 32];
    }
    __syncthreads();
    const int ox = blockIdx.y * 16 + cx, oy = blockIdx.x * 64 + cy;
    if (ox < R && oy + 32 < C) {
        out[(size_t)oy * R + ox] = tile[cx][cy];
        out[(size_t)(oy + 32) * R + ox] = tile[cx][cy + 32];
    }
}
