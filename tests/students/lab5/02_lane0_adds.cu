// lane 0 adds up the 32 partial sums; softmax with shfl_xor butterflies
#include "warpwise.h"
#define WARPS 8

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float part[WARPS * 32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int row = blockIdx.x * WARPS + warp;
    if (row < rows) {
        float s = 0.f;
        for (int c = lane; c < cols; c += 32) s += in[row * cols + c];
        part[threadIdx.x] = s;
        __syncwarp();
        if (lane == 0) {
            float total = 0.f;
            for (int i = 0; i < 32; i++) total += part[warp * 32 + i];
            sums[row] = total;
        }
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int row = blockIdx.x * WARPS + warp;
    if (row < rows) {
        float m = -INFINITY, s = 0.f;
        for (int c = lane; c < cols; c += 32) m = fmaxf(m, in[row * cols + c]);
        for (int d = 16; d; d >>= 1) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
        for (int c = lane; c < cols; c += 32) {
            float e = expf(in[row * cols + c] - m);
            out[row * cols + c] = e;
            s += e;
        }
        for (int d = 16; d; d >>= 1) s += __shfl_xor_sync(0xffffffff, s, d);
        for (int c = lane; c < cols; c += 32) out[row * cols + c] /= s;
    }
}
