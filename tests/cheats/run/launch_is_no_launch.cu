// lab0: not passed
// 18: the launch's name on something else.
#include "warpwise.h"

extern "C" __device__ const char scale_launch[100000] = {1};

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
