// warp aggregation: coalesced_threads() and labeled_partition by bin; the leader adds the group's size
#include <cooperative_groups.h>
#include "warpwise.h"

namespace cg = cooperative_groups;

LAUNCH(histogram, .block = {256}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    auto block = cg::this_thread_block();
    for (unsigned b = block.thread_rank(); b < 256; b += block.size()) count[b] = 0;
    block.sync();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        auto active = cg::coalesced_threads();
        unsigned bin = in[i] & 255;
        auto same = cg::labeled_partition(active, bin);
        if (same.thread_rank() == 0) atomicAdd(&count[bin], same.size());
    }
    block.sync();
    for (unsigned b = block.thread_rank(); b < 256; b += block.size()) atomicAdd(&bins[b], count[b]);
}
