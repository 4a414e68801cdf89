// refused: race at line 36; race at line 38; wrong output
// no barrier behind the addition in scan_sums: the next step reads too early
#include "warpwise.h"

#define THREADS 256

LAUNCH(block_sums, .block = {THREADS});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[THREADS];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d) tile[t] += tile[t + d];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = tile[0];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[THREADS];
    int t = threadIdx.x;
    unsigned carry = 0;
    for (int base = 0; base < m; base += THREADS) {
        int i = base + t;
        unsigned own = i < m ? sums[i] : 0;
        tile[t] = own;
        __syncthreads();
        for (int d = 1; d < THREADS; d *= 2) {
            unsigned below = t >= d ? tile[t - d] : 0;
            __syncthreads();
            tile[t] += below;
        }
        if (i < m) sums[i] = carry + tile[t] - own;
        carry += tile[THREADS - 1];
        __syncthreads();        // nobody fills the tile while someone reads its last element
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[THREADS];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        unsigned below = t >= d ? tile[t - d] : 0;
        __syncthreads();
        tile[t] += below;
        __syncthreads();
    }
    if (i < n) out[i] = tile[t] + sums[blockIdx.x];
}
