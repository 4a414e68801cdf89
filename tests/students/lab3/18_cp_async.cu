// cp.async (__pipeline_memcpy_async): scan_sums fetches the next tile while it scans this one
#include <cuda_pipeline.h>
#include "warpwise.h"

#define THREADS 256
#define ITEMS 4
#define TILE (THREADS * ITEMS)

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

// brings a tile into shared memory asynchronously, zeros behind the end
__device__ void fetch(unsigned *tile, const unsigned *from, int base, int n)
{
    for (int k = threadIdx.x; k < TILE; k += THREADS)
        if (base + k < n)
            __pipeline_memcpy_async(&tile[k], &from[base + k], sizeof(unsigned));
        else
            tile[k] = 0;
    __pipeline_commit();
}

__device__ unsigned scan(unsigned v, unsigned (*pp)[THREADS])
{
    int t = threadIdx.x, now = 0;
    pp[0][t] = v;
    for (int d = 1; d < THREADS; d *= 2) {
        __syncthreads();
        if (t >= d) v += pp[now][t - d];
        now = 1 - now;
        pp[now][t] = v;
    }
    __syncthreads();            // now is 0 again after eight steps
    return v;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[TILE], pp[2][THREADS];
    fetch(tile, in, blockIdx.x * TILE, n);
    __pipeline_wait_prior(0);
    // every thread reads what it fetched itself
    unsigned s = 0;
    for (int k = threadIdx.x; k < TILE; k += THREADS) s += tile[k];
    s = scan(s, pp);
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = s;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[2][TILE], pp[2][THREADS];
    unsigned carry = 0;
    int now = 0;
    fetch(tile[0], sums, 0, m);
    for (int base = 0; base < m; base += TILE, now ^= 1) {
        fetch(tile[now ^ 1], sums, base + TILE, m);
        __pipeline_wait_prior(1);
        __syncthreads();
        unsigned v[ITEMS], s = 0;
        for (int k = 0; k < ITEMS; k++) s += v[k] = tile[now][threadIdx.x * ITEMS + k];
        unsigned run = carry + scan(s, pp) - s;
        for (int k = 0; k < ITEMS; k++) {
            int i = base + threadIdx.x * ITEMS + k;
            if (i < m) sums[i] = run;
            run += v[k];
        }
        carry += pp[0][THREADS - 1];
        __syncthreads();
    }
    __pipeline_wait_prior(0);
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[TILE], pp[2][THREADS];
    int base = blockIdx.x * TILE;
    fetch(tile, in, base, n);
    __pipeline_wait_prior(0);
    __syncthreads();
    unsigned v[ITEMS], s = 0;
    for (int k = 0; k < ITEMS; k++) s += v[k] = tile[threadIdx.x * ITEMS + k];
    unsigned run = scan(s, pp) - s + sums[blockIdx.x];
    for (int k = 0; k < ITEMS; k++) {
        int i = base + threadIdx.x * ITEMS + k;
        run += v[k];
        if (i < n) out[i] = run;
    }
}
