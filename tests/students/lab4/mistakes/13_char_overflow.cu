// refused: wrong output
// 16-bit halves with tiles of 131072 numbers: the low counter carries into the high one
#include "warpwise.h"

// a counter reaches 131072 at most, which fits into 16 bits: the low one never carries into the high one
#define TILE 131072
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
