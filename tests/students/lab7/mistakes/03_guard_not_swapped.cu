// refused: never written at line 17; out of bounds at line 17; output never written; race at line 17; wrong output
// the guards do not change sides: on the way out x is still compared with C and y with R
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < C && y + k < R) tile[threadIdx.y + k][threadIdx.x] = in[(size_t)(y + k) * C + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int k = 0; k < 32; k += 8)
        if (x < C && y + k < R)
            out[(size_t)(y + k) * R + x] = tile[threadIdx.x][threadIdx.y + k];
}
