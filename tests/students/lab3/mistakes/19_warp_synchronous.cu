// refused: race at line 20; race at line 21
// old warp-synchronous code: no __syncwarp() between reading and writing within a warp
#include "warpwise.h"

#define THREADS 256
#define ROWS (THREADS / 32)
#define PER 4
#define TILE (THREADS * PER)

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

__device__ unsigned scan(volatile unsigned (*row)[32], unsigned v, unsigned *total)
{
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    row[w][lane] = v;
    __syncwarp();
    for (int d = 1; d < 32; d *= 2) {
        unsigned below = lane >= d ? row[w][lane - d] : 0;
        row[w][lane] = v += below;
        __syncwarp();
    }
    __syncthreads();
    unsigned all = 0;
    for (int k = 0; k < ROWS; k++) {
        if (k == w) v += all;
        all += row[k][31];
    }
    *total = all;
    __syncthreads();
    return v;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned row[ROWS][32];
    unsigned v = 0, total;
    for (int i = blockIdx.x * TILE + threadIdx.x, k = 0; k < PER && i < n; k++, i += THREADS) v += in[i];
    scan(row, v, &total);
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned row[ROWS][32];
    unsigned carry = 0, total;
    for (int i = threadIdx.x; i < (m + THREADS - 1) / THREADS * THREADS; i += THREADS) {
        unsigned v = i < m ? sums[i] : 0, s = scan(row, v, &total);
        if (i < m) sums[i] = carry + s - v;
        carry += total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned row[ROWS][32];
    int first = blockIdx.x * TILE + PER * threadIdx.x;
    unsigned v[PER], s = 0, total;
    for (int k = 0; k < PER; k++) {
        v[k] = first + k < n ? in[first + k] : 0;
        s += v[k];
    }
    unsigned x = sums[blockIdx.x] + scan(row, s, &total) - s;
    for (int k = 0; k < PER; k++) {
        x += v[k];
        if (first + k < n) out[first + k] = x;
    }
}
