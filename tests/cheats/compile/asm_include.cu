// lab0: does not build | not supported
// 42: a directive of another assembler.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile(".include \"@SECRET@\"");
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
