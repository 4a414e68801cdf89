// swizzle x ^ y instead of padding
#include "warpwise.h"

#define N 32
#define ROWS 8

LAUNCH(transpose, .block = {N, ROWS}, .tile = {N, N});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[N][N];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int c0 = blockIdx.x * N, r0 = blockIdx.y * N;
#pragma unroll
    for (int y = ty; y < N; y += ROWS)
        if (c0 + tx < C && r0 + y < R)
            tile[y][tx ^ y] = in[(size_t)(r0 + y) * C + c0 + tx];
    __syncthreads();
#pragma unroll
    for (int y = ty; y < N; y += ROWS)
        if (r0 + tx < R && c0 + y < C)
            out[(size_t)(c0 + y) * R + r0 + tx] = tile[tx][y ^ tx];
}
