// refused: race at line 22
// Volatile makes every access happen, but makes no lane wait for another: the tree counts on lanes in step.
#include "warpwise.h"

#define WARPS 4

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return; // the whole warp: no lane is left waiting
    volatile float *part = exchange[warp];
    const float *x = in + (size_t)row * cols;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += x[c];
    part[lane] = sum;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2)
        if (lane < half) part[lane] += part[lane + half];
    if (lane == 0) sums[row] = part[0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    volatile float *part = exchange[warp];
    const float *x = in + (size_t)row * cols;
    float *y = out + (size_t)row * cols;

    float most = -INFINITY;
    for (int c = lane; c < cols; c += 32) most = fmaxf(most, x[c]);
    part[lane] = most;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2)
        if (lane < half) part[lane] = fmaxf(part[lane], part[lane + half]);
    most = part[0];
    __syncwarp(); // all have read the maximum before its place is used again

    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += __expf(x[c] - most);
    part[lane] = sum;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2)
        if (lane < half) part[lane] += part[lane + half];
    float scale = 1.0f / part[0];
    for (int c = lane; c < cols; c += 32) y[c] = __expf(x[c] - most) * scale;
}
