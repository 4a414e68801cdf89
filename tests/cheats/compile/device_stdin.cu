// lab0: does not build; below full: does not build | passed
// 43: a file without an end, or one that waits: /dev/stdin.
#include "/dev/stdin"
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
