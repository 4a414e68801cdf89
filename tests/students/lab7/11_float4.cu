// float4 both ways where R, C and the pointers allow it, scalars otherwise; 64 x 32 tile
#include <stdint.h>
#include "warpwise.h"

LAUNCH(transpose, .block = {256}, .tile = {32, 32});

__device__ __forceinline__ bool aligned(const void *p) { return ((uintptr_t)p & 15) == 0; }

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    const int t = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    if (((R | C) & 3) == 0 && aligned(in) && aligned(out)) {
        const int v = t % 8 * 4, w = t / 8; // four from v on, in row w
        if (x0 + v < C && y0 + w < R) {
            float4 q = *reinterpret_cast<const float4 *>(&in[(size_t)(y0 + w) * C + x0 + v]);
            tile[w][v] = q.x;
            tile[w][v + 1] = q.y;
            tile[w][v + 2] = q.z;
            tile[w][v + 3] = q.w;
        }
        __syncthreads();
        if (y0 + v < R && x0 + w < C)
            *reinterpret_cast<float4 *>(&out[(size_t)(x0 + w) * R + y0 + v]) =
                make_float4(tile[v][w], tile[v + 1][w], tile[v + 2][w], tile[v + 3][w]);
    } else {
        const int x = t % 32, y = t / 32;
        for (int k = y; k < 32; k += 8)
            if (x0 + x < C && y0 + k < R) tile[k][x] = in[(size_t)(y0 + k) * C + x0 + x];
        __syncthreads();
        for (int k = y; k < 32; k += 8)
            if (y0 + x < R && x0 + k < C) out[(size_t)(x0 + k) * R + y0 + x] = tile[x][k];
    }
}
