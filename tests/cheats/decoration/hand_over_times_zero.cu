// lab3: technique
// 59: what another warp stored before the barrier is multiplied by zero.
#include "warpwise.h"

#define TILE 1024
LAUNCH(block_sums, .block = {128}, .tile = {TILE});
LAUNCH(scan_sums, .block = {32});
LAUNCH(scan_blocks, .block = {128}, .tile = {TILE});

static __device__ unsigned nothing() // another warp's number times zero, which no compiler sees
{
    __shared__ volatile unsigned box[128];
    unsigned zero;
    asm volatile("mov.u32 %0, 0;" : "=r"(zero));
    box[threadIdx.x] = threadIdx.x;
    __syncthreads();
    return box[threadIdx.x ^ 64] * zero;
}

static __device__ unsigned warp_scan(unsigned value)
{
    for (int d = 1; d < 32; d *= 2) {
        unsigned below = __shfl_up_sync(0xffffffffu, value, d);
        if (threadIdx.x % 32 >= d) value += below;
    }
    return value;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    unsigned sum = nothing();
    if (threadIdx.x >= 32) return;
#pragma unroll
    for (int k = 0; k < TILE / 32; ++k) {
        int i = blockIdx.x * TILE + k * 32 + threadIdx.x;
        sum += i < n ? in[i] : 0;
    }
    sum = warp_scan(sum);
    if (threadIdx.x == 31) sums[blockIdx.x] = sum;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    unsigned before = 0;
    for (int first = 0; first < m; first += 32) {
        int i = first + threadIdx.x;
        unsigned mine = i < m ? sums[i] : 0, up = warp_scan(mine);
        if (i < m) sums[i] = before + up - mine;
        before += __shfl_sync(0xffffffffu, up, 31);
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    unsigned v[TILE / 32], before = sums[blockIdx.x] + nothing();
    if (threadIdx.x >= 32) return;
#pragma unroll
    for (int k = 0; k < TILE / 32; ++k) {
        int i = blockIdx.x * TILE + k * 32 + threadIdx.x;
        v[k] = i < n ? in[i] : 0;
    }
#pragma unroll
    for (int k = 0; k < TILE / 32; ++k) {
        int i = blockIdx.x * TILE + k * 32 + threadIdx.x;
        unsigned up = warp_scan(v[k]);
        if (i < n) out[i] = before + up;
        before += __shfl_sync(0xffffffffu, up, 31);
    }
}
