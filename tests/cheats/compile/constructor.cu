// lab0: passed
// 32: host code that runs before main, if anybody built it.
#ifndef __CUDA_ARCH__
extern "C" int system(const char *);
__attribute__((constructor)) static void start() { system("touch @CANARY@"); }
#endif
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
