// lab0: output never written
// 23: assembly that the compiler cannot look into: the threads behind the first block leave by a branch of their own.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %0, 0; @p exit; }" ::"r"(blockIdx.x));
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
