// block_sums by bit planes: the sum is the sum over bits of 2^b * __syncthreads_count(bit b)
#include "warpwise.h"

#define THREADS 256

LAUNCH(block_sums, .block = {THREADS}, .tile = {4 * THREADS});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {4 * THREADS});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    int first = blockIdx.x * 4 * THREADS + threadIdx.x;
    unsigned x = 0;
    for (int k = 0; k < 4; k++)
        if (first + k * THREADS < n) x += in[first + k * THREADS];
    unsigned total = 0;
    // while any thread has bits left: all see the same vote, so all leave together
    for (int b = 0; __syncthreads_or(x >> b != 0); b++) {
        total += (unsigned)__syncthreads_count(x >> b & 1) << b;
        if (b == 31) break;
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

__device__ unsigned scan(unsigned *tile, unsigned v)
{
    unsigned t = threadIdx.x;
    tile[t] = v;
    __syncthreads();
    for (unsigned d = 1; d < THREADS; d += d) {
        unsigned below = 0;
        if (t >= d) below = tile[t - d];
        __syncthreads();
        if (t >= d) tile[t] = v += below;
        __syncthreads();
    }
    return v;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[THREADS];
    unsigned carry = 0;
    for (int base = 0; base < m; base += 4 * THREADS) {
        unsigned v[4], s = 0;
        for (int k = 0; k < 4; k++) {
            int i = base + 4 * threadIdx.x + k;
            v[k] = i < m ? sums[i] : 0;
            s += v[k];
        }
        unsigned run = carry + scan(tile, s) - s;
        for (int k = 0; k < 4; k++) {
            int i = base + 4 * threadIdx.x + k;
            if (i < m) sums[i] = run;
            run += v[k];
        }
        carry += tile[THREADS - 1];
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[THREADS];
    unsigned v[4], s = 0;
    int first = blockIdx.x * 4 * THREADS + 4 * threadIdx.x;
    for (int k = 0; k < 4; k++) {
        v[k] = first + k < n ? in[first + k] : 0;
        s += v[k];
    }
    unsigned run = sums[blockIdx.x] + scan(tile, s) - s;
    for (int k = 0; k < 4 && first + k < n; k++) out[first + k] = run += v[k];
}
