// lab0: deadlock | barrier
// 50: threads that wait for each other.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x < 32) asm volatile("barrier.sync 1, 64;");
    else asm volatile("barrier.sync 2, 512;");
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
