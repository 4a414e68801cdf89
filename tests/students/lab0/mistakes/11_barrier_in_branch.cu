// refused: barrier in divergent code at line 14
// the barrier stands inside the guard
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float s[256];
    int first = blockIdx.x * 256, i = first + threadIdx.x;
    int count = n - first < 256 ? n - first : 256;
    if (i < n) {
        s[threadIdx.x] = in[i];
        __syncthreads();
        int k = count - 1 - threadIdx.x;
        out[first + k] = 2.0f * s[k] + 1.0f;
    }
}
