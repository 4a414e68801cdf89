// lab0: does not build
// 46: a gigabyte of data from twenty bytes of text.
__device__ char big[1 << 30] = {1};
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i < n ? i : 0] = big[i];
}
