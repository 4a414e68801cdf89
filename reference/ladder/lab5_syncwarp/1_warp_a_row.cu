// Rung 1, the lesson's own step: a warp for each row. Its 32 lanes exchange through shared memory that no other warp
// touches, so they wait for each other only: __syncwarp(). Warps of a block never meet, four of them share a block
// because an SM takes at most 32 blocks.
// Flaw that the next rung removes: in softmax each of the ten steps of exchange is a store, a __syncwarp() and a load,
// where one instruction could pass the value from register to register.
#include "warpwise.h"

#define WARPS 4

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return; // the whole warp: no lane is left waiting
    float *part = exchange[warp];
    const float *x = in + (size_t)row * cols;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += x[c];
    part[lane] = sum;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) part[lane] += part[lane + half];
        __syncwarp(); // outside of the if: all 32 lanes come by
    }
    if (lane == 0) sums[row] = part[0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float *part = exchange[warp];
    const float *x = in + (size_t)row * cols;
    float *y = out + (size_t)row * cols;

    float most = -INFINITY;
    for (int c = lane; c < cols; c += 32) most = fmaxf(most, x[c]);
    part[lane] = most;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) part[lane] = fmaxf(part[lane], part[lane + half]);
        __syncwarp();
    }
    most = part[0];
    __syncwarp(); // all have read the maximum before its place is used again

    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += __expf(x[c] - most);
    part[lane] = sum;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) part[lane] += part[lane + half];
        __syncwarp();
    }
    float scale = 1.0f / part[0];
    for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - most) * scale;
}
