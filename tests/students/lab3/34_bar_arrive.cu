// bar.arrive: seven warps only arrive at barrier 1, warp 0 waits there, scans the totals, and all meet at barrier 2
#include "warpwise.h"

#define WARPS 8
#define THREADS 256
#define TILE 1024

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

#define SYNC(id) asm volatile("barrier.sync %0, %1;" ::"r"(id), "r"(THREADS) : "memory")
#define ARRIVE(id) asm volatile("barrier.arrive %0, %1;" ::"r"(id), "r"(THREADS) : "memory")

__device__ unsigned wscan(unsigned v)
{
    for (int d = 1; d < 32; d <<= 1) {
        unsigned u = __shfl_up_sync(~0u, v, d);
        if ((threadIdx.x & 31) >= d) v += u;
    }
    return v;
}

__device__ unsigned bscan(unsigned v, unsigned *part)
{
    unsigned lane = threadIdx.x & 31, w = threadIdx.x >> 5;
    v = wscan(v);
    if (lane == 31) part[w] = v;
    if (w == 0) {
        SYNC(1);
        unsigned p = lane < WARPS ? part[lane] : 0;
        p = wscan(p);
        if (lane < WARPS) part[lane] = p;
    } else {
        ARRIVE(1);
    }
    SYNC(2);
    return w ? v + part[w - 1] : v;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned part[WARPS];
    unsigned v = 0;
    for (int k = 0; k < 4; k++) {
        int i = blockIdx.x * TILE + k * THREADS + threadIdx.x;
        if (i < n) v += in[i];
    }
    v = bscan(v, part);
    if (threadIdx.x == THREADS - 1) sums[blockIdx.x] = v;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned part[WARPS];
    unsigned carry = 0;
    for (int b = 0; b < m; b += THREADS) {
        int i = b + threadIdx.x;
        unsigned own = i < m ? sums[i] : 0, v = bscan(own, part);
        if (i < m) sums[i] = carry + v - own;
        carry += part[WARPS - 1];
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned part[WARPS];
    int i = blockIdx.x * TILE + 4 * threadIdx.x;
    unsigned v[4], s = 0;
    for (int k = 0; k < 4; k++) v[k] = s += i + k < n ? in[i + k] : 0;
    s = bscan(s, part) - s + sums[blockIdx.x];
    for (int k = 0; k < 4; k++)
        if (i + k < n) out[i + k] = v[k] + s;
}
