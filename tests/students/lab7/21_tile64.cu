// a 64 x 64 tile, sixteen elements a thread
#include "warpwise.h"
static const int N = 64;

LAUNCH(transpose, .block = {64, 4}, .tile = {N, N});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[N][N + 1];
    int x = blockIdx.x * N + threadIdx.x, y = blockIdx.y * N + threadIdx.y;
#pragma unroll
    for (int k = 0; k < N; k += 4)
        if (x < C && y + k < R) tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * C + x];
    __syncthreads();
    x = blockIdx.y * N + threadIdx.x;
    y = blockIdx.x * N + threadIdx.y;
#pragma unroll
    for (int k = 0; k < N; k += 4)
        if (x < R && y + k < C) out[(size_t)(y + k) * R + x] = tile[threadIdx.x][threadIdx.y + k];
}
