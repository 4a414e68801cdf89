// Rung 2, the lesson's own step: all threads work, and barriers keep them in step.
// The sum is a tree: 128 threads add, then 64, then 32 … The scan is Hillis and Steele's: in step d every thread adds
// the value d places before its own, for d = 1, 2, 4 …, so that after eight steps each holds the sum of all up to it.
// Every step of the scan needs two barriers: all have read before anyone writes, all have written before anyone reads.
// Flaw that the next rung removes: half of those barriers only protect old values from being overwritten.
#include "warpwise.h"

#define TILE 256

LAUNCH(block_sums, .block = {TILE});
LAUNCH(scan_sums, .block = {TILE});
LAUNCH(scan_blocks, .block = {TILE});

// Each thread's value becomes the sum of all values up to it. The whole block must call it: it holds barriers.
static __device__ unsigned block_scan(unsigned value, unsigned *tile)
{
    int t = threadIdx.x;
    tile[t] = value;
    __syncthreads();
    for (int distance = 1; distance < TILE; distance *= 2) {
        unsigned below = t >= distance ? tile[t - distance] : 0;
        __syncthreads(); // all have read …
        tile[t] += below;
        __syncthreads(); // … all have written
    }
    return tile[t];
}

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[TILE];
    int t = threadIdx.x, i = blockIdx.x * TILE + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int half = TILE / 2; half > 0; half /= 2) {
        if (t < half) tile[t] += tile[t + half];
        __syncthreads(); // outside of the if: every thread comes by
    }
    if (t == 0) sums[blockIdx.x] = tile[0];
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[TILE];
    unsigned before = 0; // the sum of all passes so far: every thread counts it
    for (int first = 0; first < m; first += TILE) {
        int i = first + threadIdx.x;
        unsigned sum = i < m ? sums[i] : 0;
        unsigned up_to_me = block_scan(sum, tile);
        if (i < m) sums[i] = before + up_to_me - sum;
        before += tile[TILE - 1];
        __syncthreads(); // all have read the last element before the next pass overwrites it
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    unsigned up_to_me = block_scan(i < n ? in[i] : 0, tile);
    if (i < n) out[i] = sums[blockIdx.x] + up_to_me;
}
