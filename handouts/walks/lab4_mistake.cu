// Three operations to a count: read it, add one, write it back.
#include "warpwise.h"

LAUNCH(histogram, .block = {64});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned bin = in[i] & 255;
    unsigned count = bins[bin];
    bins[bin] = count + 1;
}
