// refused: barrier in divergent code at line 14; barrier in divergent code at line 16; race at line 13; race at line 17; wrong output
// the barrier stands inside the guard of the way in
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32, tx = threadIdx.x;
    if (x0 + tx < C) {
        for (int k = threadIdx.y; k < 32; k += 8)
            if (y0 + k < R) tile[k][tx] = in[(size_t)(y0 + k) * C + x0 + tx];
        __syncthreads();
    }
    for (int k = threadIdx.y; k < 32; k += 8)
        if (y0 + tx < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + tx] = tile[tx][k];
}
