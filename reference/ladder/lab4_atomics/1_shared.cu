// Rung 1, the lesson's own step: each block counts in shared memory and adds its 256 counts to the global bins.
// An addition in shared memory meets only the threads of its own block.
// Flaw that the next rung removes: a block of 256 threads counts 256 elements and then makes 256 global additions, as
// many as the baseline. They merely travel better: 32 lanes add to 32 neighbouring bins in one request.
#include "warpwise.h"

LAUNCH(histogram, .block = {256});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned count[256];
    for (int b = threadIdx.x; b < 256; b += blockDim.x) count[b] = 0;
    __syncthreads(); // no counter is used before it is cleared
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&count[in[i] & 255], 1u);
    __syncthreads(); // all have counted before anyone merges
    for (int b = threadIdx.x; b < 256; b += blockDim.x) atomicAdd(&bins[b], count[b]);
}
