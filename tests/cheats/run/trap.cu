// lab0: not passed
// 51: a sticky error: the cases behind it are graded.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n == 1000) asm volatile("trap;");
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
