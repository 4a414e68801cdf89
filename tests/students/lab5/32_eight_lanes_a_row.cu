// eight lanes a row: groups within a warp with masks of their own in __syncwarp(mask) and __shfl_xor_sync(mask)
#include "warpwise.h"
#define ROWS 16 // 128 threads, eight a row
LAUNCH(row_sums, .block = {ROWS * 8}, .tile = {ROWS});
LAUNCH(softmax, .block = {ROWS * 8}, .tile = {ROWS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[ROWS][8];
    const int t = threadIdx.x % 8, group = threadIdx.x / 8;
    const unsigned mask = 0xffu << (threadIdx.x % 32 / 8 * 8);
    const int row = blockIdx.x * ROWS + group;
    if (row >= rows) return; // eight lanes together
    float sum = 0;
    for (int c = t; c < cols; c += 8) sum += in[(size_t)row * cols + c];
    exchange[group][t] = sum;
    __syncwarp(mask);
    if (t < 4) exchange[group][t] += exchange[group][t + 4];
    __syncwarp(mask);
    if (t < 2) exchange[group][t] += exchange[group][t + 2];
    __syncwarp(mask);
    if (t == 0) sums[row] = exchange[group][0] + exchange[group][1];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const int t = threadIdx.x % 8;
    const unsigned mask = 0xffu << (threadIdx.x % 32 / 8 * 8);
    const int row = blockIdx.x * ROWS + threadIdx.x / 8;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0;
    for (int c = t; c < cols; c += 8) m = fmaxf(m, x[c]);
    for (int d = 4; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(mask, m, d, 8));
    for (int c = t; c < cols; c += 8) s += expf(x[c] - m);
    for (int d = 4; d; d /= 2) s += __shfl_xor_sync(mask, s, d, 8);
    for (int c = t; c < cols; c += 8) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
