// 32 rows a warp; exchange[row][lane ^ row] instead of padding; lane l adds up row l
#include "warpwise.h"
constexpr int WARPS = 4;
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS * 32});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS * 4});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32][32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int first = (blockIdx.x * WARPS + warp) * 32;
    for (int r = 0; r < 32; r++) {
        float sum = 0;
        if (first + r < rows)
            for (int c = lane; c < cols; c += 32) sum += in[(size_t)(first + r) * cols + c];
        exchange[warp][r][lane ^ r] = sum;
    }
    __syncwarp();
    float sum = 0;
    for (int i = 0; i < 32; i++) sum += exchange[warp][lane][i ^ lane];
    if (first + lane < rows) sums[first + lane] = sum;
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int k = 0; k < 4; k++) {
        const int row = (blockIdx.x * WARPS + warp) * 4 + k;
        if (row >= rows) break;
        const float *x = in + (size_t)row * cols;
        float m = -INFINITY, s = 0;
        for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
        for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
        for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
        for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
        for (int c = lane; c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
    }
}
