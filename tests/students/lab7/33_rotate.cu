// swizzle by rotation (x + y) & 31, tile of cuda::std::array, __syncthreads_count as the barrier
#include <cuda/std/array>
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ cuda::std::array<cuda::std::array<float, 32>, 32> tile;
    const unsigned tx = threadIdx.x, ty = threadIdx.y;
    const unsigned x0 = blockIdx.x << 5, y0 = blockIdx.y << 5;
    bool mine = false;
#pragma unroll
    for (unsigned k = 0; k < 32; k += 8) {
        const unsigned y = ty | k;
        if (x0 + tx < C && y0 + y < R) tile[y][(tx + y) & 31] = in[(size_t)(y0 + y) * C + x0 + tx], mine = true;
    }
    if (__syncthreads_count(mine) == 0) return;
#pragma unroll
    for (unsigned k = 0; k < 32; k += 8) {
        const unsigned y = ty | k;
        if (y0 + tx < R && x0 + y < C) out[(size_t)(x0 + y) * R + y0 + tx] = tile[tx][(tx + y) & 31];
    }
}
