// lab0: does not build
// 32: a device variable whose constructor should run before any kernel.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

struct early {
    float one;
    __device__ early() : one(1.0f) { asm volatile("trap;"); }
};
__device__ early before;

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + before.one;
}
