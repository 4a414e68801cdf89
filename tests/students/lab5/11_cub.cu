// CUB's WarpReduce in softmax (its TempStorage one for each warp), the tree by hand in row_sums
#include "warpwise.h"
#include <cub/cub.cuh>

#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

struct Larger {
    __device__ float operator()(float a, float b) const { return fmaxf(a, b); }
};

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
    using Reduce = cub::WarpReduce<float>;
    __shared__ typename Reduce::TempStorage storage[WARPS];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    m = __shfl_sync(0xffffffff, Reduce(storage[warp]).Reduce(m, Larger()), 0);
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    __syncwarp();
    s = __shfl_sync(0xffffffff, Reduce(storage[warp]).Sum(s), 0);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
