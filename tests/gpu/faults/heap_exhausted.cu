// ends: refused CUDA_ERROR_ILLEGAL_ADDRESS
// Each thread keeps a megabyte of the device's heap, and does not look whether it got it.
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float *mine = (float *)malloc(1 << 20);
    if (i < n) mine[i % 256] = in[i], out[i] = 2.0f * mine[i % 256] + 1.0f;
}
