// inline PTX: shfl.sync.up with a predicate, %%laneid, bar.sync 0, redux.sync
#include "warpwise.h"

#define THREADS 256
#define ITEMS 8
#define TILE (THREADS * ITEMS)

LAUNCH(block_sums, .block = {THREADS}, .tile = {TILE});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS}, .tile = {TILE});

__device__ __forceinline__ unsigned lane_id()
{
    unsigned l;
    asm("mov.u32 %0, %%laneid;" : "=r"(l));
    return l;
}

__device__ __forceinline__ void bar() { asm volatile("bar.sync 0;" ::: "memory"); }

__device__ __forceinline__ unsigned add_up(unsigned v, int d)
{
    unsigned r = v;
    asm volatile("{\n\t"
                 ".reg .pred p;\n\t"
                 ".reg .u32 q;\n\t"
                 "shfl.sync.up.b32 q|p, %1, %2, 0, 0xffffffff;\n\t"
                 "@p add.u32 %0, %0, q;\n\t"
                 "}"
                 : "+r"(r)
                 : "r"(v), "r"(d));
    return r;
}

__device__ __forceinline__ unsigned warp_scan(unsigned v)
{
#pragma unroll
    for (int d = 1; d <= 16; d <<= 1) v = add_up(v, d);
    return v;
}

__device__ __forceinline__ unsigned block_scan(unsigned v, unsigned *part, unsigned *all)
{
    unsigned w = threadIdx.x >> 5;
    v = warp_scan(v);
    if (lane_id() == 31) part[w] = v;
    bar();
    unsigned before = 0, sum = 0;
    for (unsigned k = 0; k < THREADS / 32; k++) {
        if (k == w) before = sum;
        sum += part[k];
    }
    bar();
    *all = sum;
    return v + before;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned part[THREADS / 32];
    unsigned s = 0, w;
    int i = blockIdx.x * TILE + threadIdx.x;
    for (int k = 0; k < ITEMS; k++, i += THREADS)
        if (i < n) s += in[i];
    asm volatile("redux.sync.add.u32 %0, %1, 0xffffffff;" : "=r"(w) : "r"(s));
    if (lane_id() == 0) part[threadIdx.x >> 5] = w;
    bar();
    if (threadIdx.x == 0) {
        s = 0;
        for (int k = 0; k < THREADS / 32; k++) s += part[k];
        sums[blockIdx.x] = s;
    }
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned part[THREADS / 32];
    unsigned carry = 0;
    for (int base = 0; base < m; base += THREADS) {
        int i = base + threadIdx.x;
        unsigned v = i < m ? sums[i] : 0, all;
        unsigned s = block_scan(v, part, &all);
        if (i < m) sums[i] = carry + s - v;
        carry += all;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned part[THREADS / 32];
    int i = blockIdx.x * TILE + threadIdx.x * ITEMS;
    unsigned v[ITEMS], s = 0, all;
#pragma unroll
    for (int k = 0; k < ITEMS; k++) v[k] = s += i + k < n ? in[i + k] : 0;
    s = block_scan(s, part, &all) - s + sums[blockIdx.x];
#pragma unroll
    for (int k = 0; k < ITEMS; k++)
        if (i + k < n) out[i + k] = v[k] + s;
}
