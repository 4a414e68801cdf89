// 32 x 16 threads, two tiles side by side, two floats of padding, a guard for each, threads counted anew
#include "warpwise.h"

#define X 32
#define Y 16
#define PAD 2

LAUNCH(transpose, .block = {X, Y}, .tile = {2 * X, Y});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[Y][2 * X + PAD];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int x = blockIdx.x * (2 * X) + tx, y = blockIdx.y * Y + ty;
    if (x < C && y < R) tile[ty][tx] = in[(size_t)y * C + x];
    if (x + X < C && y < R) tile[ty][tx + X] = in[(size_t)y * C + x + X];
    __syncthreads();
    const int t = ty * X + tx;
    const int cx = t % Y, cy = t / Y; // 16 to a row of out
    const int ox = blockIdx.y * Y + cx, oy = blockIdx.x * (2 * X) + cy;
    if (ox < R && oy < C) out[(size_t)oy * R + ox] = tile[cx][cy];
    if (ox < R && oy + X < C) out[(size_t)(oy + X) * R + ox] = tile[cx][cy + X];
}
