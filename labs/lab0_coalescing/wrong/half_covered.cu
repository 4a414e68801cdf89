// refused: output never written
// .tile promises 512 elements a block, the kernel does 256: every second block's worth is never stored.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {512});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * 512 + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
