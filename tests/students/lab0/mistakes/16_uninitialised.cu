// refused: never written at line 13
// the accumulator starts with whatever is in it
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float sum[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        for (int k = 0; k < 2; k++) sum[threadIdx.x] += in[i];
        out[i] = sum[threadIdx.x] + 1.0f;
    }
}
