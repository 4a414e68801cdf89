// refused: race at line 13; wrong output
// count[...]++ without an atomic in shared memory
#include "warpwise.h"

LAUNCH(histogram, .block = {256}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) count[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        count[in[i] & 255]++;
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], count[b]);
}
