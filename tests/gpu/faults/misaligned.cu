// ends: refused CUDA_ERROR_MISALIGNED_ADDRESS
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) *(float *)((char *)out + 4 * i + 1) = in[i];
}
