// refused: wrong output
// 128 threads clear and merge one bin each, and there are 256: the loop over bins is missing.
#include "warpwise.h"

LAUNCH(histogram, .block = {128}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    count[threadIdx.x] = 0;
    count[threadIdx.x + 128] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&count[in[i] & 255], 1u);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], count[threadIdx.x]);
}
