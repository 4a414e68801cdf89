// atomicAdd built from atomicCAS, as the handout's loop for a maximum
#include "warpwise.h"

LAUNCH(histogram, .block = {256}, .per_sm = 8);

__device__ void add(unsigned *p, unsigned value)
{
    unsigned seen = *(volatile unsigned *)p, old;
    do {
        old = seen;
        seen = atomicCAS(p, old, old + value);
    } while (seen != old);
}

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) add(&count[in[i] & 255], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
