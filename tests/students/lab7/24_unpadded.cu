// the tile without padding
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][32];
    for (int k = threadIdx.y; k < 32; k += 8) {
        int c = blockIdx.x * 32 + threadIdx.x, r = blockIdx.y * 32 + k;
        if (c < C && r < R) tile[k][threadIdx.x] = in[(size_t)r * C + c];
    }
    __syncthreads();
    for (int k = threadIdx.y; k < 32; k += 8) {
        int c = blockIdx.x * 32 + k, r = blockIdx.y * 32 + threadIdx.x;
        if (c < C && r < R) out[(size_t)c * R + r] = tile[threadIdx.x][k];
    }
}
