// odd sizes: tile of 32 x 40 rows, 160 threads, numbers counted anew for the way out
#include "warpwise.h"

constexpr int W = 32, H = 40, T = 160;
LAUNCH(transpose, .block = {W, T / W}, .tile = {W, H});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[H][W + 1];
    const int t = threadIdx.y * W + threadIdx.x;
    const int x0 = blockIdx.x * W, y0 = blockIdx.y * H;
    for (int i = t; i < W * H; i += T) {
        const int y = i / W, x = i % W;
        if (x0 + x < C && y0 + y < R) tile[y][x] = in[(size_t)(y0 + y) * C + x0 + x];
    }
    __syncthreads();
    for (int i = t; i < W * H; i += T) {
        const int y = i / H, x = i % H;
        if (y0 + x < R && x0 + y < C) out[(size_t)(x0 + y) * R + y0 + x] = tile[x][y];
    }
}
