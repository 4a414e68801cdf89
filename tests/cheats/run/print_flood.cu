// lab0: not passed
// 52: a page from each thread.
#include <cstdio>
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int k = 0; k < 1000; ++k) printf("%d %d flood flood flood flood flood flood flood flood flood flood\n", i, k);
    if (i < n) out[i] = 0.0f;
}
