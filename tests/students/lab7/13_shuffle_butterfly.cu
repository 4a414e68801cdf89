// no shared memory: a warp turns 32 x 32 registers with five rounds of __shfl_xor_sync
#include "warpwise.h"

LAUNCH(transpose, .block = {32, 4}, .tile = {32, 128});

template <int M> __device__ __forceinline__ void round_(float (&v)[32], int lane)
{
    const bool upper = lane & M;
#pragma unroll
    for (int k = 0; k < 32; k++)
        if (!(k & M)) {
            // exchange my v[k | M] (lower lanes) or v[k] (upper lanes) with the partner's other one
            float give = upper ? v[k] : v[k | M];
            float got = __shfl_xor_sync(0xffffffffu, give, M);
            if (upper) v[k] = got;
            else v[k | M] = got;
        }
}

extern "C" __global__ void __launch_bounds__(128) transpose(const float *in, float *out, int R, int C)
{
    const int lane = threadIdx.x, x0 = blockIdx.x * 32, y0 = blockIdx.y * 128 + threadIdx.y * 32;
    float v[32];
#pragma unroll
    for (int k = 0; k < 32; k++) v[k] = y0 + k < R && x0 + lane < C ? in[(size_t)(y0 + k) * C + x0 + lane] : 0.0f;
    round_<16>(v, lane);
    round_<8>(v, lane);
    round_<4>(v, lane);
    round_<2>(v, lane);
    round_<1>(v, lane);
#pragma unroll
    for (int k = 0; k < 32; k++)
        if (x0 + k < C && y0 + lane < R) out[(size_t)(x0 + k) * R + y0 + lane] = v[k];
}
