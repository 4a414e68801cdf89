// CUB: BlockLoad, BlockReduce, BlockScan, BlockStore in a union of temp storages
#include <cub/cub.cuh>
#include "warpwise.h"

constexpr int T = 256, I = 8, TILE = T * I;

LAUNCH(block_sums, .block = {T}, .tile = {TILE});
LAUNCH(scan_sums, .block = {T});
LAUNCH(scan_blocks, .block = {T}, .tile = {TILE});

using Load = cub::BlockLoad<unsigned, T, I, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
using Store = cub::BlockStore<unsigned, T, I, cub::BLOCK_STORE_WARP_TRANSPOSE>;
using Scan = cub::BlockScan<unsigned, T>;
using Reduce = cub::BlockReduce<unsigned, T>;

union Temp {
    Load::TempStorage load;
    Store::TempStorage store;
    Scan::TempStorage scan;
    Reduce::TempStorage reduce;
};

struct Prefix { // running total for the scan, called by the first warp
    unsigned total;
    __device__ unsigned operator()(unsigned aggregate)
    {
        unsigned old = total;
        total += aggregate;
        return old;
    }
};

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ Temp temp;
    unsigned v[I];
    int base = blockIdx.x * TILE;
    Load(temp.load).Load(in + base, v, min(n - base, TILE), 0u);
    __syncthreads();
    unsigned s = Reduce(temp.reduce).Sum(v);
    if (threadIdx.x == 0) sums[blockIdx.x] = s;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ Temp temp;
    Prefix prefix{0};
    for (int base = 0; base < m; base += TILE) {
        unsigned v[I];
        Load(temp.load).Load(sums + base, v, min(m - base, TILE), 0u);
        __syncthreads();
        Scan(temp.scan).ExclusiveSum(v, v, prefix);
        __syncthreads();
        Store(temp.store).Store(sums + base, v, min(m - base, TILE));
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ Temp temp;
    unsigned v[I];
    int base = blockIdx.x * TILE;
    int valid = min(n - base, TILE);
    Load(temp.load).Load(in + base, v, valid, 0u);
    __syncthreads();
    Scan(temp.scan).InclusiveSum(v, v);
    unsigned offset = sums[blockIdx.x];
    for (int k = 0; k < I; k++) v[k] += offset;
    __syncthreads();
    Store(temp.store).Store(out + base, v, valid);
}
