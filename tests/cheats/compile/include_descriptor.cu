// lab0: does not build
// 34: a descriptor that was left open.
#include "/proc/self/fd/3"
#include "/dev/fd/4"
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
