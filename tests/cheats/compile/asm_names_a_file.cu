// lab0: out of bounds
// 29: assembly says that the fault stands in another file, at another line.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile(".file 99 \"@SECRET@\"\n .loc 99 1 1");
    out[i] = 2.0f * in[i] + 1.0f;
}
