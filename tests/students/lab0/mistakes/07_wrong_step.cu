// refused: too many instructions at line 9; wrong output
// the grid-stride loop steps by blockDim.x only: every block does everything behind its start
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .per_sm = 1);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x)
        out[i] = 2.0f * in[i] + 1.0f;
}
