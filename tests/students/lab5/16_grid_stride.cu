// grid stride over the rows with .per_sm, eight warps a block, barrier between two rows
#include "warpwise.h"
#define WARPS 8

LAUNCH(row_sums, .block = {WARPS * 32}, .per_sm = 8);
LAUNCH(softmax, .block = {WARPS * 32}, .per_sm = 8);

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int row = blockIdx.x * WARPS + warp; row < rows; row += gridDim.x * WARPS) {
        float sum = 0;
        for (int c = lane; c < cols; c += 32) sum += in[(size_t)row * cols + c];
        exchange[warp][lane] = sum;
        __syncwarp();
        for (int half = 16; half > 0; half /= 2) {
            if (lane < half) exchange[warp][lane] += exchange[warp][lane + half];
            __syncwarp();
        }
        if (lane == 0) sums[row] = exchange[warp][0];
        __syncwarp();
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int row = blockIdx.x * WARPS + warp; row < rows; row += gridDim.x * WARPS) {
        const float *x = in + (size_t)row * cols;
        float m = -INFINITY, s = 0;
        for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
        for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
        for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
        for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
        for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
    }
}
