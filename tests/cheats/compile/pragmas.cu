// lab0: passed
// 32: words for linkers and preprocessors.
#pragma comment(linker, "-Wl,-rpath,/tmp")
#pragma comment(lib, "evil")
#pragma GCC system_header
#pragma once
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
