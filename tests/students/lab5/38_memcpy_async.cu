// libcu++: cuda::pipeline of one thread and cuda::memcpy_async, 64 columns at a time, then __syncwarp()
#include "warpwise.h"
#include <cuda/pipeline>
#define WARPS 4
#define CHUNK 64
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float stage[WARPS][CHUNK];
    __shared__ float exchange[WARPS][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    auto pipe = cuda::make_pipeline();
    float sum = 0;
    for (int first = 0; first < cols; first += CHUNK) {
        const int count = cols - first < CHUNK ? cols - first : CHUNK;
        pipe.producer_acquire();
        for (int c = lane; c < count; c += 32) cuda::memcpy_async(&stage[warp][c], x + first + c, sizeof(float), pipe);
        pipe.producer_commit();
        pipe.consumer_wait();
        __syncwarp();
        for (int c = lane; c < count; c += 32) sum += stage[warp][count - 1 - c];
        pipe.consumer_release();
        __syncwarp();
    }
    exchange[warp][lane] = sum;
    __syncwarp();
    if (lane == 0) {
        sum = 0;
        for (int i = 0; i < 32; i++) sum += exchange[warp][i];
        sums[row] = sum;
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
