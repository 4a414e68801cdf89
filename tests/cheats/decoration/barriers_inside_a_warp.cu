// lab3: technique
// 59: the barriers of the block order only what lanes of one warp exchange. The other warps idle.
#include "warpwise.h"

#define TILE 1024
LAUNCH(block_sums, .block = {128}, .tile = {TILE});
LAUNCH(scan_sums, .block = {32});
LAUNCH(scan_blocks, .block = {128}, .tile = {TILE});

// The inclusive prefix sum of warp 0's values. All warps come by each barrier, and only warp 0 has a use for it.
static __device__ unsigned warp_scan(unsigned value)
{
    __shared__ unsigned box[32];
    for (int d = 1; d < 32; d *= 2) {
        if (threadIdx.x < 32) box[threadIdx.x] = value;
        __syncthreads();
        if (threadIdx.x < 32 && threadIdx.x >= d) value += box[threadIdx.x - d];
        __syncthreads();
    }
    return value;
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    unsigned sum = 0;
    for (int k = 0; k < TILE / 32 && threadIdx.x < 32; ++k) {
        int i = blockIdx.x * TILE + k * 32 + threadIdx.x;
        sum += i < n ? in[i] : 0;
    }
    sum = warp_scan(sum);
    if (threadIdx.x == 31) sums[blockIdx.x] = sum;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned carry[1];
    if (threadIdx.x == 0) carry[0] = 0;
    for (int first = 0; first < m; first += 32) {
        int i = first + threadIdx.x;
        unsigned mine = i < m ? sums[i] : 0, up = warp_scan(mine);
        unsigned before = carry[0];
        if (i < m) sums[i] = before + up - mine;
        __syncthreads();
        if (threadIdx.x == 31) carry[0] = before + up;
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    unsigned v[TILE / 32], sum = 0; // a thread of warp 0 owns neighbours, which only the cache makes bearable
    for (int k = 0; k < TILE / 32 && threadIdx.x < 32; ++k) {
        int i = blockIdx.x * TILE + threadIdx.x * (TILE / 32) + k;
        v[k] = i < n ? in[i] : 0;
        sum += v[k];
    }
    unsigned before = sums[blockIdx.x] + warp_scan(sum) - sum;
    for (int k = 0; k < TILE / 32 && threadIdx.x < 32; ++k) {
        int i = blockIdx.x * TILE + threadIdx.x * (TILE / 32) + k;
        before += v[k];
        if (i < n) out[i] = before;
    }
}
