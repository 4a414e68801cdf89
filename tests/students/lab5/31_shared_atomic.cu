// atomicAdd on a float in shared memory, one for each warp: the order of the additions is open, within rounding
#include "warpwise.h"
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

// floats ordered as unsigned integers
__device__ unsigned key(float f)
{
    unsigned u = __float_as_uint(f);
    return u & 0x80000000u ? ~u : u | 0x80000000u;
}
__device__ float unkey(unsigned k) { return __uint_as_float(k & 0x80000000u ? k & 0x7fffffffu : ~k); }

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float total[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    if (lane == 0) total[warp] = 0.0f;
    __syncwarp();
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += in[(size_t)row * cols + c];
    atomicAdd(&total[warp], sum);
    __syncwarp();
    if (lane == 0) sums[row] = total[warp];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0.0f;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    m = unkey(__reduce_max_sync(0xffffffffu, key(m)));
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
