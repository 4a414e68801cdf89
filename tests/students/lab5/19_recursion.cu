// recursion: the tree as a recursive device function, the butterfly as a recursive template
#include "warpwise.h"
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

__device__ void tree(float *a, int lane, int half)
{
    __syncwarp();
    if (half == 0) return; // all lanes together
    if (lane < half) a[lane] += a[lane + half];
    tree(a, lane, half / 2);
}

template <int D> struct Butterfly {
    static __device__ float max(float v) { return Butterfly<D / 2>::max(fmaxf(v, __shfl_xor_sync(0xffffffff, v, D))); }
    static __device__ float sum(float v) { return Butterfly<D / 2>::sum(v + __shfl_xor_sync(0xffffffff, v, D)); }
};
template <> struct Butterfly<0> {
    static __device__ float max(float v) { return v; }
    static __device__ float sum(float v) { return v; }
};

__device__ float sum_of(const float *x, int from, int to) // of every 32nd element
{
    int count = (to - from + 31) / 32;
    if (count <= 0) return 0.0f;
    if (count == 1) return x[from];
    int middle = from + count / 2 * 32;
    return sum_of(x, from, middle) + sum_of(x, middle, to);
}

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    exchange[warp][lane] = sum_of(in + (size_t)row * cols, lane, cols);
    tree(exchange[warp], lane, 16);
    if (lane == 0) sums[row] = exchange[warp][0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0.0f;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    m = Butterfly<16>::max(m);
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    s = Butterfly<16>::sum(s);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
