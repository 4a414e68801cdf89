// refused: technique; too slow
// The baseline with barriers that keep nobody in step: thread 0 still does all the work.
#include "warpwise.h"

#define TILE 4096

LAUNCH(block_sums, .block = {128}, .tile = {TILE});
LAUNCH(scan_sums, .block = {128});
LAUNCH(scan_blocks, .block = {128}, .tile = {TILE});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        int first = blockIdx.x * TILE, end = min(first + TILE, n);
        unsigned sum = 0;
        for (int i = first; i < end; ++i) sum += in[i];
        sums[blockIdx.x] = sum;
    }
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned before = 0;
        for (int i = 0; i < m; ++i) {
            unsigned sum = sums[i];
            sums[i] = before;
            before += sum;
        }
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        int first = blockIdx.x * TILE, end = min(first + TILE, n);
        unsigned sum = sums[blockIdx.x];
        for (int i = first; i < end; ++i) {
            sum += in[i];
            out[i] = sum;
        }
    }
}
