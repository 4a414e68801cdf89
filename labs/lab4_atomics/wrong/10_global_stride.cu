// refused: technique
// A stride saves blocks, not additions: every element is still counted by an atomic in global memory.
#include "warpwise.h"

LAUNCH(histogram, .block = {256}, .per_sm = 8);

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i] & 255], 1u);
}
