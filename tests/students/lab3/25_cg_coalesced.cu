// cooperative groups throughout: tiled_partition<16>, labeled and coalesced groups, cg::sync, exclusive_scan
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cooperative_groups/reduce.h>
#include "warpwise.h"
using namespace cooperative_groups;

#define THREADS 256
#define GROUP 16
#define GROUPS (THREADS / GROUP)

LAUNCH(block_sums, .block = {THREADS}, .tile = {2 * THREADS});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {2 * THREADS});

__device__ unsigned exclusive(thread_block &all, unsigned v, unsigned *part, unsigned &total)
{
    thread_block_tile<GROUP> g = tiled_partition<GROUP>(all);
    unsigned e = exclusive_scan(g, v);
    if (g.thread_rank() == GROUP - 1) part[g.meta_group_rank()] = e + v;
    sync(all);
    // the first group scans the totals of the groups: as many as it has threads
    if (g.meta_group_rank() == 0) {
        unsigned p = part[g.thread_rank()];
        unsigned q = exclusive_scan(g, p);
        part[g.thread_rank()] = q;
        if (g.thread_rank() == GROUP - 1) part[GROUPS] = q + p;
    }
    sync(all);
    total = part[GROUPS];
    e += part[g.meta_group_rank()];
    sync(all);
    return e;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned part[THREADS / 32];
    thread_block all = this_thread_block();
    int i = blockIdx.x * 2 * THREADS + all.thread_rank();
    unsigned s = 0;
    if (i < n) {
        s = in[i];
        if (i + THREADS < n) s += in[i + THREADS];
    }
    thread_block_tile<32> warp = tiled_partition<32>(all);
    if (warp.thread_rank() == 0) part[warp.meta_group_rank()] = 0;
    all.sync();
    if (i < n) {
        // whichever lanes with data happen to be here together: one of them adds for all
        coalesced_group here = coalesced_threads();
        unsigned w = reduce(here, s, plus<unsigned>());
        if (here.thread_rank() == 0) atomicAdd(&part[warp.meta_group_rank()], w);
    }
    all.sync();
    if (all.thread_rank() == 0) {
        unsigned total = 0;
        for (int k = 0; k < THREADS / 32; k++) total += part[k];
        sums[blockIdx.x] = total;
    }
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned part[GROUPS + 1];
    thread_block all = this_thread_block();
    unsigned carry = 0, total;
    for (int base = 0; base < m; base += THREADS) {
        int i = base + all.thread_rank();
        unsigned v = i < m ? sums[i] : 0;
        unsigned e = exclusive(all, v, part, total);
        if (i < m) sums[i] = carry + e;
        carry += total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned part[GROUPS + 1];
    thread_block all = this_thread_block();
    int i = (blockIdx.x * THREADS + all.thread_rank()) * 2;
    unsigned a = i < n ? in[i] : 0, b = i + 1 < n ? in[i + 1] : 0, total;
    unsigned e = exclusive(all, a + b, part, total) + sums[blockIdx.x];
    if (i < n) out[i] = e + a;
    if (i + 1 < n) out[i + 1] = e + a + b;
}
