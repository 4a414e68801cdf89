// lab0: does not build | passed | not supported
// 42: the assembler copies a file into the program; host code is never built.
asm(".section .rodata\nleak: .incbin \"@SECRET@\"\n");
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
