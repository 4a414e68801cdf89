// two 16-bit counters in each word, flushed before they can overflow; tiles of 32768 numbers
#include "warpwise.h"

// a counter reaches 32768 at most, which fits into 16 bits: the low one never carries into the high one
#define TILE 32768
#define THREADS 256

LAUNCH(histogram, .block = {THREADS}, .tile = {TILE});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned pair[128];
    if (threadIdx.x < 128) pair[threadIdx.x] = 0;
    __syncthreads();
    const int begin = blockIdx.x * TILE;
    for (int k = threadIdx.x; k < TILE && begin + k < n; k += THREADS) {
        const unsigned v = in[begin + k] & 255;
        atomicAdd(&pair[v >> 1], v & 1 ? 0x10000u : 1u);
    }
    __syncthreads();
    const unsigned c = threadIdx.x & 1 ? pair[threadIdx.x >> 1] >> 16 : pair[threadIdx.x >> 1] & 0xffff;
    if (c) atomicAdd(&bins[threadIdx.x], c);
}
