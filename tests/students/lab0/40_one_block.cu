// right and whole sectors, but one block for everything
// not passed: too slow
#include "warpwise.h"

LAUNCH(scale, .block = {1024}, .grid = {1});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    for (int i = threadIdx.x; i < n; i += 1024) out[i] = 2.0f * in[i] + 1.0f;
}
