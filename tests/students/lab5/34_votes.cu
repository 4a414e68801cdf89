// votes: the loop goes on while __any_sync says that a lane has a column; __all_sync, __ballot_sync and __popc
#include "warpwise.h"
#define FULL 0xffffffffu
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (!__any_sync(FULL, row < rows)) return;
    float sum = 0;
    for (int c = lane; __any_sync(FULL, c < cols); c += 32) sum += c < cols ? in[(size_t)row * cols + c] : 0.0f;
    exchange[warp][lane] = sum;
    __syncwarp(FULL);
    for (int half = 16; half; half /= 2) {
        if (lane < half) exchange[warp][lane] += exchange[warp][lane + half];
        __syncwarp(FULL);
    }
    if (lane == 0) sums[row] = exchange[warp][0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (__all_sync(FULL, row >= rows)) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0;
    for (int c = lane; c - lane < cols; c += 32) {
        unsigned present = __ballot_sync(FULL, c < cols);
        if (present >> lane & 1) m = fmaxf(m, x[c]);
        if (__popc(present) < 32) break;
    }
    for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(FULL, m, d));
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(FULL, s, d);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
