// cooperative groups: a warp tile takes 256 neighbours with float4 loads, tail by coalesced_threads
#include <cooperative_groups.h>
#include "warpwise.h"
using namespace cooperative_groups;

LAUNCH(scale, .block = {256}, .tile = {2048});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    thread_block block = this_thread_block();
    thread_block_tile<32> warp = tiled_partition<32>(block);
    int start = blockIdx.x * 2048 + warp.meta_group_rank() * 256;
    if (start + 256 <= n) {
        const float4 *a = reinterpret_cast<const float4 *>(in + start);
        float4 *b = reinterpret_cast<float4 *>(out + start);
        float4 u = a[warp.thread_rank()], v = a[warp.thread_rank() + warp.size()];
        u.x = u.x * 2 + 1; u.y = u.y * 2 + 1; u.z = u.z * 2 + 1; u.w = u.w * 2 + 1;
        v.x = v.x * 2 + 1; v.y = v.y * 2 + 1; v.z = v.z * 2 + 1; v.w = v.w * 2 + 1;
        b[warp.thread_rank()] = u;
        b[warp.thread_rank() + warp.size()] = v;
    } else if (start < n) {
        coalesced_group g = coalesced_threads();
        for (int i = start + g.thread_rank(); i < n; i += g.size()) out[i] = 2 * in[i] + 1;
    }
}
