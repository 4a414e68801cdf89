// cache-oblivious recursion: the block halves its 64 x 64 square down to 32 x 32 tiles
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {64, 64});

struct Job { const float *in; float *out; int R, C; };

__device__ void square(const Job &j, float (*tile)[33], int y0, int x0, int size)
{
    if (y0 >= j.R || x0 >= j.C) return; // the same for the whole block
    if (size > 32) {
        const int h = size / 2;
        square(j, tile, y0, x0, h);
        square(j, tile, y0, x0 + h, h);
        square(j, tile, y0 + h, x0, h);
        square(j, tile, y0 + h, x0 + h, h);
        return;
    }
    const int tx = threadIdx.x;
    for (int k = threadIdx.y; k < 32; k += 8)
        if (x0 + tx < j.C && y0 + k < j.R) tile[k][tx] = j.in[(size_t)(y0 + k) * j.C + x0 + tx];
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8)
        if (y0 + tx < j.R && x0 + k < j.C) j.out[(size_t)(x0 + k) * j.R + y0 + tx] = tile[tx][k];
    __syncthreads();
}

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    square(Job{in, out, R, C}, tile, blockIdx.y * 64, blockIdx.x * 64, 64);
}
