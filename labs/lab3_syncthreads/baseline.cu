// Lab 3, baseline: thread 0 of each block works, the others have nothing to do.
// Its flaw: of 128 threads one is awake, it waits for one load at a time, and nobody shares the work.
#include "warpwise.h"

#define TILE 4096

LAUNCH(block_sums, .block = {128}, .tile = {TILE});
LAUNCH(scan_sums, .block = {128});
LAUNCH(scan_blocks, .block = {128}, .tile = {TILE});

extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    if (threadIdx.x != 0) return;
    int first = blockIdx.x * TILE, end = min(first + TILE, n);
    unsigned sum = 0;
    for (int i = first; i < end; ++i) sum += in[i];
    sums[blockIdx.x] = sum;
}

extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    if (threadIdx.x != 0) return;
    unsigned before = 0;
    for (int i = 0; i < m; ++i) {
        unsigned sum = sums[i];
        sums[i] = before;
        before += sum;
    }
}

extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    if (threadIdx.x != 0) return;
    int first = blockIdx.x * TILE, end = min(first + TILE, n);
    unsigned sum = sums[blockIdx.x];
    for (int i = first; i < end; ++i) {
        sum += in[i];
        out[i] = sum;
    }
}
