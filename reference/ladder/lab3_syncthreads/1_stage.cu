// Rung 1: the whole block fetches its tile into shared memory, then thread 0 works on it, then the whole block stores.
// Better than the baseline: neighbouring threads load neighbouring elements, and thread 0 waits for shared memory
// (29 cycles) instead of global memory (hundreds). The two __syncthreads() are the hand-overs: "the tile is there",
// "the sums are there".
// Flaw that the next rung removes: between the two barriers 255 threads of 256 wait for one.
#include "warpwise.h"

#define TILE 256

LAUNCH(block_sums, .block = {TILE});
LAUNCH(scan_sums, .block = {TILE});
LAUNCH(scan_blocks, .block = {TILE});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[TILE];
    int t = threadIdx.x, i = blockIdx.x * TILE + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t == 0) {
        unsigned sum = 0;
        for (int k = 0; k < TILE; ++k) sum += tile[k];
        sums[blockIdx.x] = sum;
    }
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __shared__ unsigned tile[TILE];
    int t = threadIdx.x;
    unsigned before = 0; // thread 0 alone counts it
    for (int first = 0; first < m; first += TILE) {
        int i = first + t;
        tile[t] = i < m ? sums[i] : 0;
        __syncthreads();
        if (t == 0)
            for (int k = 0; k < TILE; ++k) {
                unsigned sum = tile[k];
                tile[k] = before;
                before += sum;
            }
        __syncthreads();
        if (i < m) sums[i] = tile[t]; // no barrier behind it: what a thread refills, it alone has just read
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[TILE];
    int t = threadIdx.x, i = blockIdx.x * TILE + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t == 0) {
        unsigned sum = sums[blockIdx.x];
        for (int k = 0; k < TILE; ++k) {
            sum += tile[k];
            tile[k] = sum;
        }
    }
    __syncthreads();
    if (i < n) out[i] = tile[t];
}
