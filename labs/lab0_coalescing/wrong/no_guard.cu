// refused: out of bounds at line 10
// No guard: the last block has threads beyond the end of the arrays whenever n is not a multiple of 256.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2.0f * in[i] + 1.0f;
}
