// refused: out of bounds at line 12
// The value is right whatever lies behind the array: the last thread reads one element too far and then does not
// use it. No output check sees this; memory checkers miss it too when the allocation is rounded up.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float here = in[i], next = in[i + 1];
    out[i] = next > 3e38f ? 2.0f * here + 1.0f : here + here + 1.0f;
}
