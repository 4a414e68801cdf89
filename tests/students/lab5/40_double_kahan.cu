// double accumulators in row_sums, Kahan's compensation in softmax, exponent by exp2f
#include "warpwise.h"
const int WARPS = 6;
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ double exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    double sum = 0;
    for (int c = lane; c < cols; c += 32) sum += (double)in[(size_t)row * cols + c];
    exchange[warp][lane] = sum;
    __syncwarp();
    for (int half = 16; half > 0; half /= 2) {
        if (lane < half) exchange[warp][lane] += exchange[warp][lane + half];
        __syncwarp();
    }
    if (lane == 0) sums[row] = (float)exchange[warp][0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float log2e = 1.44269504f;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0, lost = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    for (int c = lane; c < cols; c += 32) {
        float y = exp2f((x[c] - m) * log2e) - lost;
        float t = s + y;
        lost = __fsub_rn(__fsub_rn(t, s), y);
        s = t;
    }
    double total = s;
    for (int d = 16; d; d /= 2) total += __shfl_xor_sync(0xffffffff, total, d);
    float inverse = (float)(1.0 / total);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = exp2f((x[c] - m) * log2e) * inverse;
}
