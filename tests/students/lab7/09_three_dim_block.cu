// three-dimensional block: z counts pairs of rows
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 4, 2}, .tile = {32, 32, 2});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[2][16][33];
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    int r = blockIdx.y * 32 + threadIdx.z * 16 + threadIdx.y;
    for (int k = 0; k < 16; k += 4)
        if (c < C && r + k < R)
            tile[threadIdx.z][threadIdx.y + k][threadIdx.x] = in[(size_t)(r + k) * C + c];
    __syncthreads();
    int x = threadIdx.x;
    r = blockIdx.y * 32 + x;
    c = blockIdx.x * 32 + threadIdx.z * 16 + threadIdx.y;
    for (int k = 0; k < 16; k += 4)
        if (r < R && c + k < C)
            out[(size_t)(c + k) * R + r] = tile[x / 16][x % 16][threadIdx.z * 16 + threadIdx.y + k];
}
