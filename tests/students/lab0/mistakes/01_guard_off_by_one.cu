// refused: out of bounds at line 9
// the guard is i <= n: the thread behind the end reads and writes one too far
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{   int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i] = 2.0f * in[i] + 1.0f;
}
