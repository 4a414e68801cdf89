// __restrict__, __ldg, __launch_bounds__, __noinline__ helpers, #pragma unroll
#include "warpwise.h"
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

__device__ __noinline__ float warp_max(float v)
{
#pragma unroll
    for (int d = 16; d > 0; d >>= 1) v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, d, 32));
    return v;
}
__device__ __noinline__ float warp_sum(float v)
{
#pragma unroll
    for (int d = 16; d > 0; d >>= 1) v += __shfl_xor_sync(0xffffffffu, v, d, 32);
    return v;
}
__device__ __noinline__ void fold(float *a, int lane)
{
#pragma unroll
    for (int half = 16; half > 0; half >>= 1) {
        float v = lane < half ? a[lane + half] : 0.0f;
        if (lane < half) a[lane] += v;
        __syncwarp();
    }
}

extern "C" __global__ void __launch_bounds__(WARPS * 32, 8) row_sums(const float *__restrict__ in, float *__restrict__ sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float *__restrict__ x = in + (size_t)row * cols;
    float sum = 0.0f;
#pragma unroll 4
    for (int c = lane; c < cols; c += 32) sum += __ldg(x + c);
    exchange[warp][lane] = sum;
    __syncwarp();
    fold(exchange[warp], lane);
    if (lane == 0) sums[row] = exchange[warp][0];
}

extern "C" __global__ __launch_bounds__(WARPS * 32) void softmax(const float *__restrict__ in, float *__restrict__ out, int rows, int cols)
{
    const int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *__restrict__ x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0.0f;
#pragma unroll 4
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, __ldg(x + c));
    m = warp_max(m);
#pragma unroll 4
    for (int c = lane; c < cols; c += 32) s += __expf(__ldg(x + c) - m);
    s = warp_sum(s);
    const float r = __fdividef(1.0f, s);
#pragma unroll 4
    for (int c = lane; c < cols; c += 32) __stcs(out + (size_t)row * cols + c, __expf(__ldg(x + c) - m) * r);
}
