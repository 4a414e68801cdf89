// cooperative groups: each warp copies its rows with memcpy_async, wait, then block.sync
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include "warpwise.h"

namespace cg = cooperative_groups;

LAUNCH(transpose, .block = {32, 8}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    __shared__ float tile[32][33];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const int x0 = blockIdx.x * 32, y0 = blockIdx.y * 32;
    const int width = min(32, C - x0);
    for (int k = warp.meta_group_rank(); k < 32 && y0 + k < R; k += warp.meta_group_size())
        cg::memcpy_async(warp, tile[k], in + (size_t)(y0 + k) * C + x0, sizeof(float) * width);
    cg::wait(warp);
    block.sync();
    const int r = y0 + warp.thread_rank();
    for (int k = warp.meta_group_rank(); k < width; k += warp.meta_group_size())
        if (r < R) out[(size_t)(x0 + k) * R + r] = tile[warp.thread_rank()][k];
}
