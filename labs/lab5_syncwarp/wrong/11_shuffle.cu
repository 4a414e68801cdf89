// refused: technique
// Right and fast, and what one would do in earnest; but the exercise is the exchange through memory, where
// __syncwarp() is needed.
#include "warpwise.h"

#define WARPS 4
#define ALL 0xffffffffu

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float sum = 0.0f;
    for (int c = lane; c < cols; c += 32) sum += x[c];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(ALL, sum, d);
    if (lane == 0) sums[row] = sum;
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
