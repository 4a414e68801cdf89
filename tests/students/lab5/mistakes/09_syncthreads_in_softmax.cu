// refused: technique
// softmax waits with __syncthreads() where a warp would do
#include "warpwise.h"

#define WARPS 4 // of a block: with a warp a row, also its rows

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

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
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    bool idle = row >= rows;
    if (idle) row = 0;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0.0f;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    exchange[warp][lane] = m;
    __syncthreads();
    for (int i = 0; i < 32; ++i) m = fmaxf(m, exchange[warp][i]);
    __syncthreads();
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    exchange[warp][lane] = s;
    __syncthreads();
    s = 0.0f;
    for (int i = 0; i < 32; ++i) s += exchange[warp][i];
    if (!idle)
        for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
