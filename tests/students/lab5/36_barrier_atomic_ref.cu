// libcu++: cuda::atomic_ref with block scope counts the lanes in, release and acquire
// not passed: technique
#include "warpwise.h"
#include <cuda/atomic>
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    __shared__ int arrived[WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    if (lane == 0) arrived[warp] = 0;
    __syncwarp();
    float sum = 0;
    for (int c = lane; c < cols; c += 32) sum += in[(size_t)row * cols + c];
    exchange[warp][lane] = sum;
    cuda::atomic_ref<int, cuda::thread_scope_block> count(arrived[warp]);
    count.fetch_add(1, cuda::memory_order_release);
    if (lane == 0) {
        while (count.load(cuda::memory_order_acquire) != 32) {}
        float total = 0;
        for (int i = 0; i < 32; i++) total += exchange[warp][i];
        sums[row] = total;
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const int lane = threadIdx.x % 32, row = blockIdx.x * WARPS + threadIdx.x / 32;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
    for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
