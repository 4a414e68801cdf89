// refused: race at line 20
// One row of shared memory for the whole block: four warps store to it and wait only for their own lanes.
#include "warpwise.h"

#define WARPS 4
#define ALL 0xffffffffu

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float *part = exchange;
    const float *x = in + (size_t)row * cols;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += x[c];
    part[lane] = sum;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) part[lane] += part[lane + half];
        __syncwarp();
    }
    if (lane == 0) sums[row] = part[0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float *y = out + (size_t)row * cols;
    float most = -INFINITY;
    for (int c = lane; c < cols; c += 32) most = fmaxf(most, x[c]);
    for (int d = 16; d > 0; d /= 2) most = fmaxf(most, __shfl_xor_sync(ALL, most, d));
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += __expf(x[c] - most);
    for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(ALL, sum, d);
    for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - most) / sum;
}
