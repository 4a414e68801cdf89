// textbook as in the handout: tree in the warp's own row of shared memory, both kernels by __syncwarp()
#include "warpwise.h"

#define WARPS 4

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
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float *y = out + (size_t)row * cols;

    float m = -INFINITY;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    exchange[warp][lane] = m;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) exchange[warp][lane] = fmaxf(exchange[warp][lane], exchange[warp][lane + half]);
        __syncwarp();
    }
    m = exchange[warp][0];
    __syncwarp(); // all have read the maximum before anyone stores a partial sum in its place

    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += expf(x[c] - m);
    exchange[warp][lane] = sum;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) exchange[warp][lane] += exchange[warp][lane + half];
        __syncwarp();
    }
    sum = exchange[warp][0];
    for (int c = lane; c < cols; c += 32) y[c] = expf(x[c] - m) / sum;
}
