// float2 loads and stores of a 64 x 32 tile when the sizes are even; switch over what is possible
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {64, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][65];
    const int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 64, y0 = blockIdx.y * 32;
    switch (C & 1) {
    case 0:
        for (int k = ty; k < 32; k += 8)
            if (x0 + 2 * tx < C && y0 + k < R) {
                const float2 v = *(const float2 *)(in + (size_t)(y0 + k) * C + x0 + 2 * tx);
                tile[k][2 * tx] = v.x;
                tile[k][2 * tx + 1] = v.y;
            }
        break;
    default:
        for (int k = ty; k < 32; k += 8)
            for (int h = tx; h < 64; h += 32)
                if (x0 + h < C && y0 + k < R) tile[k][h] = in[(size_t)(y0 + k) * C + x0 + h];
    }
    __syncthreads();
    for (int k = ty; k < 64; k += 8)
        if (y0 + tx < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + tx] = tile[tx][k];
}
