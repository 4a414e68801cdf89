// refused: output never written; wrong output
// .tile says 1024 elements a block, the kernel does 256
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {1024});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
