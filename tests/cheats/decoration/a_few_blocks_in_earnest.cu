// lab3: technique
// 59: one block of 16 uses its barrier; the others only execute it.
#include "warpwise.h"

#define TILE 1024
LAUNCH(block_sums, .block = {128}, .tile = {TILE});
LAUNCH(scan_sums, .block = {32});
LAUNCH(scan_blocks, .block = {128}, .tile = {TILE});

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
    if (blockIdx.x % 16 == 0) { // the lesson, in one of 16 blocks
        __shared__ unsigned part[4];
        unsigned some = 0;
        for (int i = blockIdx.x * TILE + threadIdx.x; i < min(n, (blockIdx.x + 1) * TILE); i += 128) some += in[i];
        some = warp_scan(some);
        if (threadIdx.x % 32 == 31) part[threadIdx.x / 32] = some;
        __syncthreads();
        if (threadIdx.x == 0) sums[blockIdx.x] = part[0] + part[1] + part[2] + part[3];
        return;
    }
    __syncthreads(); // decoration
    if (threadIdx.x >= 32) return;
    unsigned sum = 0;
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
    __syncthreads(); // decoration
    if (threadIdx.x >= 32) return;
    unsigned v[TILE / 32], before = sums[blockIdx.x];
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
