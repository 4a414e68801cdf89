// refused: technique
// block_sums: thread 0 of 32 does the work without any barrier, a block of a single warp
#include "warpwise.h"

#define WARPS 8
#define THREADS (32 * WARPS)
#define ITEMS 4
#define TILE (THREADS * ITEMS)
#define FULL 0xffffffffu

LAUNCH(block_sums, .block = {32}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

__device__ __forceinline__ unsigned warp_scan(unsigned v)
{
    int lane = threadIdx.x & 31;
#pragma unroll
    for (int d = 1; d < 32; d <<= 1) {
        unsigned u = __shfl_up_sync(FULL, v, d);
        if (lane >= d) v += u;
    }
    return v;
}

// inclusive; total goes to every thread
__device__ __forceinline__ unsigned block_scan(unsigned v, unsigned *warp_total, unsigned &total)
{
    int lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    v = warp_scan(v);
    if (lane == 31) warp_total[w] = v;
    __syncthreads();
    unsigned before = 0;
    total = 0;
#pragma unroll
    for (int k = 0; k < WARPS; k++) {
        unsigned x = warp_total[k];
        if (k < w) before += x;
        total += x;
    }
    __syncthreads();
    return v + before;
}

extern "C" __global__ void block_sums(const unsigned *__restrict__ in, unsigned *__restrict__ sums, int n)
{
    unsigned s = 0;
    int i0 = blockIdx.x * TILE + threadIdx.x;
#pragma unroll
    for (int k = 0; k < TILE / 32; k++) {
        int i = i0 + k * 32;
        if (i < n) s += in[i];
    }
    for (int d = 16; d; d >>= 1) s += __shfl_down_sync(FULL, s, d);
    if (threadIdx.x == 0) sums[blockIdx.x] = s;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned part[WARPS];
    unsigned carry = 0, total;
    for (int base = 0; base < m; base += THREADS) {
        int i = base + threadIdx.x;
        unsigned v = i < m ? sums[i] : 0;
        unsigned incl = block_scan(v, part, total);
        if (i < m) sums[i] = carry + incl - v;
        carry += total;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *__restrict__ in, const unsigned *__restrict__ sums,
                                       unsigned *__restrict__ out, int n)
{
    __shared__ unsigned part[WARPS];
    int base = blockIdx.x * TILE + threadIdx.x * ITEMS;
    unsigned v[ITEMS], s = 0, total;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) {
        s += base + k < n ? in[base + k] : 0;
        v[k] = s;
    }
    unsigned before = block_scan(s, part, total) - s + sums[blockIdx.x];
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (base + k < n) out[base + k] = before + v[k];
}
