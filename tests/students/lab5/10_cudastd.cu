// libcu++: cuda::std::array, numeric_limits, cuda::std::plus; a row's exchange as an array object
#include "warpwise.h"
#include <cuda/std/array>
#include <cuda/std/limits>
#include <cuda/std/cstddef>

static constexpr int WARPS = 4;
using Row = cuda::std::array<float, 32>;

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ Row exchange[WARPS];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    Row &mine = exchange[warp];
    float sum = 0;
    for (int c = lane; c < cols; c += 32) sum += in[static_cast<cuda::std::size_t>(row) * cols + c];
    mine[lane] = sum;
    __syncwarp();
    if (lane == 0) {
        float total = 0;
        for (float v : mine) total += v;
        sums[row] = total;
    }
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, row = blockIdx.x * WARPS + warp;
    if (row >= rows) return;
    const float *x = in + static_cast<cuda::std::size_t>(row) * cols;
    float m = cuda::std::numeric_limits<float>::lowest(), s = 0;
    for (int c = lane; c < cols; c += 32) m = fmaxf(m, x[c]);
    for (int d = 16; d; d /= 2) m = fmaxf(m, __shfl_xor_sync(0xffffffff, m, d));
    for (int c = lane; c < cols; c += 32) s += expf(x[c] - m);
    for (int d = 16; d; d /= 2) s += __shfl_xor_sync(0xffffffff, s, d);
    for (int c = lane; c < cols; c += 32) out[static_cast<cuda::std::size_t>(row) * cols + c] = expf(x[c] - m) / s;
}
