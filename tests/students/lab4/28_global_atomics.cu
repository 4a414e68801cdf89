// step 1 of the task only: a thread a number and a global atomic, guarded
// not passed: technique; too slow
#include "warpwise.h"

LAUNCH(histogram, .block = {256});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[in[i] & 255], 1u);
}
