// lab0: passed | does not build
// 41: a precompiled header, a plugin and a dependence named by pragmas.
#pragma GCC pch_preprocess "@SECRET@"
#pragma GCC plugin "@SECRET@"
#pragma GCC dependency "/dev/null"
#pragma clang module import secret
#pragma include_alias("warpwise.h", "@SECRET@")
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
