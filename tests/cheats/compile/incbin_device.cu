// lab0: does not build | not supported
// 42: the same in the device's assembly.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile(".incbin \"@SECRET@\";");
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
