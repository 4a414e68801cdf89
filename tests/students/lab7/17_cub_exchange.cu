// CUB: WarpExchange turns 32 rows of 32 (striped to blocked), a tile for each warp
// not passed: technique; too slow
#include <cub/cub.cuh>
#include "warpwise.h"

constexpr int kWarps = 4;
LAUNCH(transpose, .block = {32, kWarps}, .tile = {32, 32 * kWarps});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    using Exchange = cub::WarpExchange<float, 32, 32>;
    __shared__ typename Exchange::TempStorage temp[kWarps];
    const int lane = threadIdx.x, warp = threadIdx.y;
    const int c0 = blockIdx.x * 32, r0 = (blockIdx.y * kWarps + warp) * 32;
    float v[32];
#pragma unroll
    for (int k = 0; k < 32; k++) {
        v[k] = 0.f;
        if (r0 + k < R && c0 + lane < C) v[k] = in[(size_t)(r0 + k) * C + c0 + lane];
    }
    Exchange(temp[warp]).StripedToBlocked(v, v);
#pragma unroll
    for (int k = 0; k < 32; k++)
        if (r0 + lane < R && c0 + k < C) out[(size_t)(c0 + k) * R + r0 + lane] = v[k];
}
