// refused: wrong output
// The block's sum is carried in a float: 24 bits hold small test numbers and nothing larger.
#include "warpwise.h"

#define TILE 256

LAUNCH(block_sums, .block = {TILE});
LAUNCH(scan_sums, .block = {TILE});
LAUNCH(scan_blocks, .block = {TILE});

static __device__ unsigned block_scan(unsigned value, unsigned *tile)
{
    int t = threadIdx.x;
    tile[t] = value;
    __syncthreads();
    for (int distance = 1; distance < TILE; distance *= 2) {
        unsigned below = t >= distance ? tile[t - distance] : 0;
        __syncthreads();
        tile[t] += below;
        __syncthreads();
    }
    return tile[t];
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ float tile[TILE];
    int t = threadIdx.x, i = blockIdx.x * TILE + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = TILE / 2; half > 0; half /= 2) {
        if (t < half) tile[t] += tile[t + half];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = (unsigned)(unsigned long long)tile[0];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[TILE];
    unsigned before = 0;
    for (int first = 0; first < m; first += TILE) {
        int i = first + threadIdx.x;
        unsigned sum = i < m ? sums[i] : 0;
        unsigned up_to_me = block_scan(sum, tile);
        if (i < m) sums[i] = before + up_to_me - sum;
        before += tile[TILE - 1];
        __syncthreads();
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    unsigned up_to_me = block_scan(i < n ? in[i] : 0, tile);
    if (i < n) out[i] = sums[blockIdx.x] + up_to_me;
}
