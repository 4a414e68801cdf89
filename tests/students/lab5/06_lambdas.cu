// lambdas, plain and generic, handed to device function templates
#include "warpwise.h"

static const int warps = 4;
LAUNCH(row_sums, .block = {warps * 32}, .tile = {warps});
LAUNCH(softmax, .block = {warps * 32}, .tile = {warps});

template <class F> __device__ void for_columns(int cols, F f)
{
    for (int c = threadIdx.x % 32; c < cols; c += 32) f(c);
}

template <class F> __device__ float butterfly(float v, F op)
{
    for (int d = 1; d < 32; d *= 2) v = op(v, __shfl_xor_sync(~0u, v, d));
    return v;
}

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float memory[warps][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int row = blockIdx.x * warps + warp;
    if (row >= rows) return;
    auto mine = [&](int i) -> float & { return memory[warp][i]; };
    auto at = [=](int c) { return in[(size_t)row * cols + c]; };
    float sum = 0;
    for_columns(cols, [&](int c) { sum += at(c); });
    mine(lane) = sum;
    __syncwarp();
    auto fold = [&](int half) {
        if (lane < half) mine(lane) += mine(lane + half);
        __syncwarp();
    };
    fold(16), fold(8), fold(4), fold(2), fold(1);
    if (lane == 0) sums[row] = mine(0);
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const int row = blockIdx.x * warps + threadIdx.x / 32;
    if (row >= rows) return;
    auto x = [=](auto c) { return in[(size_t)row * cols + c]; };
    float m = -INFINITY, s = 0;
    for_columns(cols, [&](int c) { m = fmaxf(m, x(c)); });
    m = butterfly(m, [](auto a, auto b) { return a < b ? b : a; });
    for_columns(cols, [&](int c) { s += expf(x(c) - m); });
    s = butterfly(s, [](auto a, auto b) { return a + b; });
    for_columns(cols, [&](int c) { out[(size_t)row * cols + c] = expf(x(c) - m) / s; });
}
