// refused: bad lane mask at line 29; wrong output
// the shuffle stands inside the strided loop, whose trip count differs from lane to lane
#include "warpwise.h"
#define WARPS 4
LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});
extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float s[WARPS][32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float x = 0;
    for (int c = lane; c < cols; c += 32) x += in[(size_t)row * cols + c];
    s[warp][lane] = x;
    __syncwarp();
    for (int d = 16; d > 0; d >>= 1) {
        if (lane < d) s[warp][lane] += s[warp][lane + d];
        __syncwarp();
    }
    if (lane == 0) sums[row] = s[warp][0];
}
extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    float m = -INFINITY, z = 0;
    for (int c = lane; c < cols; c += 32) {
        m = fmaxf(m, in[row * cols + c]);
        for (int d = 16; d > 0; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    }
    for (int c = lane; c < cols; c += 32) z += expf(in[row * cols + c] - m);
    for (int d = 16; d > 0; d /= 2) z += __shfl_xor_sync(0xffffffff, z, d);
    for (int c = lane; c < cols; c += 32) out[row * cols + c] = expf(in[row * cols + c] - m) / z;
}
