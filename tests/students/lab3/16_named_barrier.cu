// named barriers: asm volatile("bar.sync 1, 128") for each half of the block on its own, __syncthreads for both
#include "warpwise.h"

#define HALF 128
#define THREADS (2 * HALF)

LAUNCH(block_sums, .block = {THREADS}, .tile = {2 * THREADS});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {2 * THREADS});

// the barrier of my half of the block: number 1 or 2
__device__ __forceinline__ void half_sync(int half)
{
    asm volatile("bar.sync %0, %1;" : : "r"(half + 1), "n"(HALF) : "memory");
}

// inclusive scan over all THREADS values
__device__ unsigned scan(unsigned (*tile)[HALF], unsigned v, unsigned *total)
{
    int half = threadIdx.x / HALF, t = threadIdx.x % HALF;
    unsigned *mine = tile[half];
    mine[t] = v;
    half_sync(half);
    for (int d = 1; d < HALF; d *= 2) {
        unsigned below = t >= d ? mine[t - d] : 0;
        half_sync(half);
        mine[t] += below;
        half_sync(half);
    }
    __syncthreads();
    unsigned r = mine[t] + (half ? tile[0][HALF - 1] : 0);
    *total = tile[0][HALF - 1] + tile[1][HALF - 1];
    __syncthreads();
    return r;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[2][HALF];
    unsigned total;
    int i = blockIdx.x * 2 * THREADS + threadIdx.x;
    unsigned v = i < n ? in[i] : 0;
    if (i + THREADS < n) v += in[i + THREADS];
    scan(tile, v, &total);
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = total;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[2][HALF];
    unsigned carry = 0;
    for (int base = 0; base < m; base += THREADS) {
        int i = base + threadIdx.x;
        unsigned v = i < m ? sums[i] : 0, total;
        unsigned s = scan(tile, v, &total);
        if (i < m) sums[i] = carry + s - v;
        carry += total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[2][HALF];
    int i = (blockIdx.x * THREADS + threadIdx.x) * 2;
    unsigned a = i < n ? in[i] : 0, b = i + 1 < n ? in[i + 1] : 0, total;
    unsigned s = scan(tile, a + b, &total) + sums[blockIdx.x];
    if (i < n) out[i] = s - b;
    if (i + 1 < n) out[i + 1] = s;
}
