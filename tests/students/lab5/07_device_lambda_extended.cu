// lambdas with an explicit __device__ annotation
#include "warpwise.h"

enum { WARPS = 4, LANES = 32 };
LAUNCH(row_sums, .block = {WARPS * LANES}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * LANES}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float s[WARPS][LANES];
    int lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    auto partial = [=] __device__ () {
        float a = 0;
        for (int c = lane; c < cols; c += LANES) a += in[(size_t)row * cols + c];
        return a;
    };
    s[warp][lane] = partial();
    __syncwarp();
    for (int h = LANES / 2; h; h /= 2) {
        if (lane < h) s[warp][lane] += s[warp][lane + h];
        __syncwarp();
    }
    if (lane == 0) sums[row] = s[warp][0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % LANES, row = blockIdx.x * WARPS + threadIdx.x / LANES;
    if (row >= rows) return;
    auto maximum = [] __device__ (float a, float b) { return fmaxf(a, b); };
    auto plus = [] __device__ (float a, float b) { return a + b; };
    auto all = [] __device__ (float v, auto op) {
        for (int d = 16; d; d /= 2) v = op(v, __shfl_xor_sync(0xffffffffu, v, d));
        return v;
    };
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0;
    for (int c = lane; c < cols; c += LANES) m = maximum(m, x[c]);
    m = all(m, maximum);
    for (int c = lane; c < cols; c += LANES) s += expf(x[c] - m);
    s = all(s, plus);
    for (int c = lane; c < cols; c += LANES) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
