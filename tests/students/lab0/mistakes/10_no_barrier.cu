// refused: race at line 12; race at line 13; wrong output
// staged in shared memory and read in another order, without a barrier
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float s[256];
    int first = blockIdx.x * 256;
    int i = first + threadIdx.x, j = first + 255 - threadIdx.x;
    if (i < n) s[threadIdx.x] = in[i];
    if (j < n) out[j] = 2.0f * s[255 - threadIdx.x] + 1.0f;
}
