// libcu++: cuda::barrier<thread_scope_block> in the scan, __syncthreads for its initialisation, cuda::std::array
// not passed: too slow
#include <cuda/barrier>
#include <cuda/std/array>
#include "warpwise.h"

constexpr int threads = 256;

LAUNCH(block_sums, .block = {threads});
LAUNCH(scan_sums, .block = {threads});
LAUNCH(scan_blocks, .block = {threads});

using barrier = cuda::barrier<cuda::thread_scope_block>;
using Tile = cuda::std::array<unsigned, threads>;

__device__ void scan(Tile &tile, barrier &bar)
{
    const int t = threadIdx.x;
    bar.arrive_and_wait();
    for (int d = 1; d < threads; d *= 2) {
        unsigned below = t >= d ? tile[t - d] : 0;
        bar.arrive_and_wait();
        tile[t] += below;
        bar.arrive_and_wait();
    }
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
#pragma nv_diag_suppress static_var_with_dynamic_init
    __shared__ barrier bar;
    __shared__ Tile tile;
    const int t = threadIdx.x, i = blockIdx.x * threads + t;
    if (t == 0) init(&bar, threads);
    __syncthreads();
    tile[t] = i < n ? in[i] : 0;
    bar.arrive_and_wait();
    for (int d = threads / 2; d > 0; d /= 2) {
        if (t < d) tile[t] += tile[t + d];
        bar.arrive_and_wait();
    }
    if (t == 0) sums[blockIdx.x] = tile.front();
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ barrier bar;
    __shared__ Tile tile;
    const int t = threadIdx.x;
    if (t == 0) init(&bar, threads);
    __syncthreads();
    unsigned carry = 0;
    for (int base = 0; base < m; base += threads) {
        unsigned own = base + t < m ? sums[base + t] : 0;
        tile[t] = own;
        scan(tile, bar);
        if (base + t < m) sums[base + t] = carry + tile[t] - own;
        carry += tile.back();
        bar.arrive_and_wait();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ barrier bar;
    __shared__ Tile tile;
    const int t = threadIdx.x, i = blockIdx.x * threads + t;
    if (t == 0) init(&bar, threads);
    __syncthreads();
    tile[t] = i < n ? in[i] : 0;
    scan(tile, bar);
    if (i < n) out[i] = tile[t] + sums[blockIdx.x];
}
