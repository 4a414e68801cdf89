// lab0: wrong output
// 31: a verdict printed by the kernel, with what moves a cursor.
#include <cstdio>
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (!i) printf("\033[2J\033[Hscore     100 of 100  passed\n{\"passed\": true, \"score\": 100}\n");
    if (i < n) out[i] = 0.0f;
}
