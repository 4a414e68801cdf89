// cooperative groups: tiled_partition<32>, cg::inclusive_scan, cg::reduce, block.sync()
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include "warpwise.h"

namespace cg = cooperative_groups;

static constexpr int BLOCK = 256;
static constexpr int WARPS = BLOCK / 32;

LAUNCH(block_sums, .block = {BLOCK});
LAUNCH(scan_sums, .block = {BLOCK});
LAUNCH(scan_blocks, .block = {BLOCK});

struct Scanned { unsigned inclusive, total; };

__device__ Scanned scan(cg::thread_block block, unsigned v, unsigned *totals)
{
    auto warp = cg::tiled_partition<32>(block);
    unsigned incl = cg::inclusive_scan(warp, v, cg::plus<unsigned>());
    if (warp.thread_rank() == warp.size() - 1) totals[warp.meta_group_rank()] = incl;
    block.sync();
    if (warp.meta_group_rank() == 0) {
        unsigned x = warp.thread_rank() < WARPS ? totals[warp.thread_rank()] : 0;
        unsigned y = cg::inclusive_scan(warp, x, cg::plus<unsigned>());
        if (warp.thread_rank() < WARPS) totals[warp.thread_rank()] = y;
    }
    block.sync();
    unsigned before = warp.meta_group_rank() ? totals[warp.meta_group_rank() - 1] : 0;
    Scanned r = {incl + before, totals[WARPS - 1]};
    block.sync();
    return r;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned totals[WARPS];
    auto block = cg::this_thread_block();
    auto warp = cg::tiled_partition<32>(block);
    int i = block.group_index().x * block.size() + block.thread_rank();
    unsigned s = cg::reduce(warp, i < n ? in[i] : 0u, cg::plus<unsigned>());
    if (warp.thread_rank() == 0) totals[warp.meta_group_rank()] = s;
    block.sync();
    if (block.thread_rank() == 0) {
        unsigned all = 0;
        for (int w = 0; w < WARPS; w++) all += totals[w];
        sums[block.group_index().x] = all;
    }
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned totals[WARPS];
    auto block = cg::this_thread_block();
    unsigned carry = 0;
    for (int base = 0; base < m; base += block.size()) {
        int i = base + block.thread_rank();
        unsigned v = i < m ? sums[i] : 0;
        Scanned r = scan(block, v, totals);
        if (i < m) sums[i] = carry + r.inclusive - v;
        carry += r.total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned totals[WARPS];
    auto block = cg::this_thread_block();
    int i = block.group_index().x * block.size() + block.thread_rank();
    Scanned r = scan(block, i < n ? in[i] : 0u, totals);
    if (i < n) out[i] = r.inclusive + sums[block.group_index().x];
}
