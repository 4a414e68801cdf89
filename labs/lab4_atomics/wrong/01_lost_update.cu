// refused: race at line 10
// The lost update: read, add and write are three steps, and another thread comes between them.
#include "warpwise.h"

LAUNCH(histogram, .block = {256});

extern "C" __global__ void histogram(const unsigned *in, unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) bins[in[i] & 255] += 1;
}
