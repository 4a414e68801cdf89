// lab0: out of bounds
// 29: a finding in a file that is not the student's: the report quotes its own copy alone.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#line 1 "@SECRET@"
    out[i] = 2.0f * in[i] + 1.0f;
}
