// cooperative groups: tiled_partition<32>, tile.sync() in row_sums, cg::reduce in softmax
#include "warpwise.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;
constexpr int WARPS = 4;

LAUNCH(row_sums, .block = {WARPS * 32}, .tile = {WARPS});
LAUNCH(softmax, .block = {WARPS * 32}, .tile = {WARPS});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[WARPS][32];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int row = blockIdx.x * WARPS + warp.meta_group_rank();
    if (row >= rows) return;
    float *mine = exchange[warp.meta_group_rank()];
    float sum = 0.0f;
    for (int c = warp.thread_rank(); c < cols; c += warp.size()) sum += in[(size_t)row * cols + c];
    mine[warp.thread_rank()] = sum;
    warp.sync();
    for (unsigned half = warp.size() / 2; half > 0; half /= 2) {
        if (warp.thread_rank() < half) mine[warp.thread_rank()] += mine[warp.thread_rank() + half];
        warp.sync();
    }
    if (warp.thread_rank() == 0) sums[row] = mine[0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    auto warp = cg::tiled_partition<32>(cg::this_thread_block());
    const int row = blockIdx.x * WARPS + warp.meta_group_rank();
    if (row >= rows) return;
    const float *x = in + (size_t)row * cols;
    float m = -INFINITY, s = 0.0f;
    for (int c = warp.thread_rank(); c < cols; c += 32) m = fmaxf(m, x[c]);
    m = cg::reduce(warp, m, cg::greater<float>());
    for (int c = warp.thread_rank(); c < cols; c += 32) s += expf(x[c] - m);
    s = cg::reduce(warp, s, cg::plus<float>());
    for (int c = warp.thread_rank(); c < cols; c += 32) out[(size_t)row * cols + c] = expf(x[c] - m) / s;
}
