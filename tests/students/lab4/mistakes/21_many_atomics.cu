// refused: technique
// every warp merges its own copy: eight times 256 global atomics a block
#include "warpwise.h"

#define WARPS 8
#define BINS 256

LAUNCH(histogram, .block = {WARPS * 32}, .per_sm = 4);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[WARPS][BINS];
    unsigned *mine = count[threadIdx.x / 32];
    for (int b = threadIdx.x % 32; b < BINS; b += 32) mine[b] = 0;
    __syncwarp();       // only this warp uses them before the next barrier
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i] & 255], 1u);
    __syncthreads();
    for (int w = 0; w < WARPS; w++) atomicAdd(&bins[threadIdx.x], count[w][threadIdx.x]);
}
