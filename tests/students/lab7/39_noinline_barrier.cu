// the whole tile in a __noinline__ function with its barriers, called for two tiles; early return of the whole block
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {64, 32});

__device__ __noinline__ void one_tile(const float *in, float *out, int R, int C, int y0, int x0, float (*tile)[33])
{
    if (y0 >= R || x0 >= C) return; // the same for all of the block
    const int tx = threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (x0 + tx < C && y0 + k < R) tile[k][tx] = in[(size_t)(y0 + k) * C + x0 + tx];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8)
        if (y0 + tx < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + tx] = tile[tx][k];
    __syncthreads();
}

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    one_tile(in, out, R, C, blockIdx.y * 32, blockIdx.x * 64, tile);
    one_tile(in, out, R, C, blockIdx.y * 32, blockIdx.x * 64 + 32, tile);
}
