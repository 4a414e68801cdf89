// textbook: one element per thread and the guard, exactly as in start.md
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
