// from the end to the beginning: lane k takes the element n - 1 - k (order inside a line is free)
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 8);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    for (int i = n - 1 - (int)(blockIdx.x * blockDim.x + threadIdx.x); i >= 0; i -= (int)(gridDim.x * blockDim.x))
        out[i] = 2.0f * in[i] + 1.0f;
}
