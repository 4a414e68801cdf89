// Rung 4, full marks: eight elements a thread. Each thread sums its eight in registers, the block scans the 256 sums of
// threads, and each thread adds what stands before its eight: an eighth of the blocks, of the barriers and of the sums.
// block_sums needs no order, so its threads stride over the tile; in scan_blocks each thread needs consecutive
// elements, and fetching those directly would scatter a warp's load over 1 KB: they pass through shared memory.
// Flaw that the next step removes: every exchange still goes through shared memory and nine barriers, although most of
// it happens between threads of one warp, which can pass values in registers; and a thread that walks its eight
// elements in shared memory meets seven others in the same bank.
#include "warpwise.h"

#define THREADS 256
#define EACH 8
#define TILE (THREADS * EACH)

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

static __device__ unsigned block_scan(unsigned value, unsigned (*sum)[THREADS], unsigned *all)
{
    int t = threadIdx.x, from = 0;
    sum[0][t] = value;
    __syncthreads();
    for (int distance = 1; distance < THREADS; distance *= 2) {
        sum[1 - from][t] = sum[from][t] + (t >= distance ? sum[from][t - distance] : 0);
        from = 1 - from;
        __syncthreads();
    }
    *all = sum[from][THREADS - 1];
    return sum[from][t];
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned sum[THREADS];
    int t = threadIdx.x, first = blockIdx.x * TILE;
    unsigned mine = 0;
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        int i = first + k * THREADS + t;
        mine += i < n ? in[i] : 0;
    }
    sum[t] = mine;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half) sum[t] += sum[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = sum[0];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[2][THREADS];
    unsigned before = 0;
    for (int first = 0; first < m; first += THREADS) {
        int i = first + threadIdx.x;
        unsigned sum = i < m ? sums[i] : 0, all;
        unsigned up_to_me = block_scan(sum, tile, &all);
        if (i < m) sums[i] = before + up_to_me - sum;
        before += all;
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[TILE], sum[2][THREADS];
    int t = threadIdx.x, first = blockIdx.x * TILE;
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        int i = first + k * THREADS + t;
        tile[k * THREADS + t] = i < n ? in[i] : 0;
    }
    __syncthreads();
    unsigned mine[EACH], running = 0;
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        running += tile[t * EACH + k];
        mine[k] = running;
    }
    unsigned all, before = sums[blockIdx.x] + block_scan(running, sum, &all) - running;
#pragma unroll
    for (int k = 0; k < EACH; ++k) tile[t * EACH + k] = before + mine[k]; // its own eight: nobody else reads them yet
    __syncthreads();
#pragma unroll
    for (int k = 0; k < EACH; ++k) {
        int i = first + k * THREADS + t;
        if (i < n) out[i] = tile[k * THREADS + t];
    }
}
