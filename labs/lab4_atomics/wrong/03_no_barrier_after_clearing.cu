// refused: race at line 13
// Right by luck: counters are cleared and used without a barrier between. Outputs were right in 200 runs of 200 on an
// H200, and a race checker said nothing.
#include "warpwise.h"

LAUNCH(histogram, .block = {256}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) count[b] = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&count[in[i] & 255], 1u);
    __syncthreads();
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], count[b]);
}
