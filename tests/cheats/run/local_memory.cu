// lab0: not passed
// 53: a megabyte a thread.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    volatile char mine[1 << 20];
    for (int k = 0; k < 1 << 20; k += 4096) mine[k] = (char)k;
    if (i < n) out[i] = mine[(n * 4096) & ((1 << 20) - 1)];
}
