// refused: out of bounds at line 15; wrong output
// the last block reads past the end
#include "warpwise.h"

#define THREADS 256

LAUNCH(histogram, .block = {THREADS});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[THREADS];
    count[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * THREADS + threadIdx.x;
    atomicAdd(&count[in[i] & 255], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
