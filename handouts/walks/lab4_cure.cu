// One operation to a count, which no other thread can interrupt.
#include "warpwise.h"

LAUNCH(histogram, .block = {64});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned bin = in[i] & 255;
    atomicAdd(&bins[bin], 1);
}
