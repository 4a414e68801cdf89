// Rung 3: two tiles instead of one. A step reads one and writes the other, so that nothing is overwritten that someone
// may still read, and one barrier a step is enough.
// Flaw that the next rung removes: one element a thread. 65,536 blocks cost more to start than their sums cost to
// form, each block scans 256 elements with 256 threads and eight barriers, and one block has 65,536 sums to scan.
#include "warpwise.h"

#define TILE 256

LAUNCH(block_sums, .block = {TILE});
LAUNCH(scan_sums, .block = {TILE});
LAUNCH(scan_blocks, .block = {TILE});

// Each thread's value becomes the sum of all values up to it; `all` the sum of the block. The whole block must call it.
static __device__ unsigned block_scan(unsigned value, unsigned (*tile)[TILE], unsigned *all)
{
    int t = threadIdx.x, from = 0;
    tile[0][t] = value;
    __syncthreads();
    for (int distance = 1; distance < TILE; distance *= 2) {
        tile[1 - from][t] = tile[from][t] + (t >= distance ? tile[from][t - distance] : 0);
        from = 1 - from;
        __syncthreads();
    }
    *all = tile[from][TILE - 1];
    return tile[from][t];
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[TILE];
    int t = threadIdx.x, i = blockIdx.x * TILE + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = TILE / 2; half > 0; half /= 2) {
        if (t < half) tile[t] += tile[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = tile[0];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[2][TILE];
    unsigned before = 0;
    for (int first = 0; first < m; first += TILE) {
        int i = first + threadIdx.x;
        unsigned sum = i < m ? sums[i] : 0, all;
        unsigned up_to_me = block_scan(sum, tile, &all);
        if (i < m) sums[i] = before + up_to_me - sum;
        before += all;
        __syncthreads(); // all have read this pass's tile before the next overwrites it
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[2][TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    unsigned all, up_to_me = block_scan(i < n ? in[i] : 0, tile, &all);
    if (i < n) out[i] = sums[blockIdx.x] + up_to_me;
}
