// refused: barrier in divergent code at line 13; barrier in divergent code at line 15
// the barrier stands inside the guard, and the threads outside of it go on
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    __shared__ float s[256];
    int first = blockIdx.x * 256, i = first + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = in[i];
        __syncthreads();
    }
    int k = min(n - first, 256) - 1 - (int)threadIdx.x;
    if (k >= 0) out[first + k] = 2.0f * s[k] + 1.0f;
}
