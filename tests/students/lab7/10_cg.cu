// cooperative groups: block.sync(), warps as tiles of 32
#include <cooperative_groups.h>
#include "warpwise.h"
namespace cg = cooperative_groups;

LAUNCH(transpose, .block = {256}, .tile = {32, 32});

extern "C" __global__ void transpose(const float *in, float *out, int R, int C)
{
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    const unsigned lane = warp.thread_rank(), w = warp.meta_group_rank(), warps = warp.meta_group_size();
    __shared__ float tile[32][32 + 1];
    const dim3 b = block.group_index();
    for (unsigned y = w; y < 32; y += warps) {
        unsigned r = b.y * 32 + y, c = b.x * 32 + lane;
        if (r < R && c < C) tile[y][lane] = in[(size_t)r * C + c];
    }
    block.sync();
    for (unsigned x = w; x < 32; x += warps) {
        unsigned r = b.y * 32 + lane, c = b.x * 32 + x;
        if (r < R && c < C) out[(size_t)c * R + r] = tile[lane][x];
    }
}
