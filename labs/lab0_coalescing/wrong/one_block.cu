// refused: too slow
// Coalesced and right, with one block: 131 of 132 multiprocessors look on.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .grid = {1, 1, 1});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = 2.0f * in[i] + 1.0f;
}
