// lab0: passed
// 22: text that assemblers read in different ways (numbers of other bases, comments within comments, line ends that are
// none, names of other cases, registers of the same name): whoever reads it otherwise gets another result, and fails.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, a = 0;
    asm volatile("{ .reg .b32 x, X; mov.b32 x, 010; mov.b32 X, 0x1U; { .reg .b32 x; mov.b32 x, 5; add.s32 X, X, x; }\n"
                 "/* // */ add.s32 x, x, 0b10; // add.s32 x, x, 7; \r add.s32 x, x, 100;\n"
                 "// \\\n add.s32 x, x, X; /* /* */ mov.b32 %0, x; }"
                 : "=r"(a));
    if (i < n) out[i] = 2.0f * in[i] + (a == 16 ? 1.0f : 2.0f);
}
