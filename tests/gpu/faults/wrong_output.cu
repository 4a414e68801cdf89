// ends: wrong an output that was timed is wrong
// One element of ten million is left out.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i != n / 2) out[i] = 2.0f * in[i] + 1.0f;
}
