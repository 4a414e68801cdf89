// libcu++: a cuda::barrier of 32 threads for each warp in softmax (arrive and wait with a token), __syncwarp() in row_sums
// not passed: too slow
#include "warpwise.h"
#include <cuda/barrier>
#include <cuda/std/utility>
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

using barrier = cuda::barrier<cuda::thread_scope_block>;

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += in[(size_t)row * cols + c];
    exchange[warp][lane] = sum;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) exchange[warp][lane] += exchange[warp][lane + half];
        __syncwarp();
    }
    if (lane == 0) sums[row] = exchange[warp][0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier barriers[WARPS];
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    barrier &meet = barriers[warp];
    if (lane == 0) init(&meet, 32);
    __syncwarp();
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0.0f;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    exchange[warp][lane] = m;
    meet.arrive_and_wait();
    for (int i = 0; i < 32; ++i) m = fmaxf(m, exchange[warp][i]);
    barrier::arrival_token token = meet.arrive(); // has read
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    meet.wait(cuda::std::move(token));
    exchange[warp][lane] = s;
    meet.arrive_and_wait();
    s = 0.0f;
    for (int i = 0; i < 32; ++i) s += exchange[warp][i];
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
