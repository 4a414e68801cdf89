// ends: refused CUDA_ERROR_OUT_OF_MEMORY
// A variable of a terabyte.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

__device__ float hog[1ll << 38];

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) hog[i * 1000ll] = in[i], out[i] = 2.0f * hog[i * 1000ll] + 1.0f;
}
