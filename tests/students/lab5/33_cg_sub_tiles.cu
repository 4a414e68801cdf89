// cooperative groups: tiles of 16 lanes, two rows a warp; the tile's any() ends the loops
#include "warpwise.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

template <unsigned Lanes> struct Task {
    cg::thread_block block = cg::this_thread_block();
    cg::thread_block_tile<Lanes> tile = cg::tiled_partition<Lanes>(block);
    __device__ int row() const { return block.group_index().x * (block.size() / Lanes) + tile.meta_group_rank(); }
};

LAUNCH(row_sums, .block = {128}, .tile = {8});
LAUNCH(softmax, .block = {256}, .tile = {16});

extern "C" __global__ void row_sums(const float *in, float *sums, int rows, int cols)
{
    __shared__ float exchange[8][16];
    Task<16> task;
    auto &tile = task.tile;
    if (task.row() >= rows) return;
    float *mine = exchange[tile.meta_group_rank()];
    float sum = 0;
    for (int c = tile.thread_rank(); c < cols; c += tile.num_threads()) sum += in[(size_t)task.row() * cols + c];
    mine[tile.thread_rank()] = sum;
    tile.sync();
    for (unsigned half = 8; half; half /= 2) {
        if (tile.thread_rank() < half) mine[tile.thread_rank()] += mine[tile.thread_rank() + half];
        tile.sync();
    }
    if (tile.thread_rank() == 0) sums[task.row()] = mine[0];
}

extern "C" __global__ void softmax(const float *in, float *out, int rows, int cols)
{
    Task<16> task;
    auto &tile = task.tile;
    if (task.row() >= rows) return;
    const float *x = in + (size_t)task.row() * cols;
    float m = -INFINITY, s = 0;
    for (int c = tile.thread_rank(); tile.any(c < cols); c += 16)
        if (c < cols) m = fmaxf(m, x[c]);
    m = cg::reduce(tile, m, [](float a, float b) { return fmaxf(a, b); });
    for (int c = tile.thread_rank(); c < cols; c += 16) s += expf(x[c] - m);
    s = cg::reduce(tile, s, cg::plus<float>{});
    for (int c = tile.thread_rank(); c < cols; c += 16) out[(size_t)task.row() * cols + c] = expf(x[c] - m) / s;
}
