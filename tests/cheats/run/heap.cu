// lab0: not passed
// 53: memory until there is none.
#include <cstdlib>
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    void *last = 0;
    for (int k = 0; k < 100000; ++k) { void **p = (void **)malloc(1 << 20); if (p) { *p = last; last = p; } }
    if (i < n) out[i] = last ? 0.0f : 1.0f;
}
