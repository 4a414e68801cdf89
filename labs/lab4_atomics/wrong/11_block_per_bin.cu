// refused: too slow
// Right, and without a quarrel in global memory: block b counts the value b alone, and every block reads the whole
// input. 256 readings cost more than the atomics that they save.
#include "warpwise.h"

#define THREADS 1024

LAUNCH(histogram, .block = {THREADS}, .grid = {256});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count;
    unsigned bin = blockIdx.x;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += THREADS)
        if ((in[i] & 255) == bin) atomicAdd(&count, 1u);
    __syncthreads();
    if (threadIdx.x == 0) bins[bin] = count;
}
