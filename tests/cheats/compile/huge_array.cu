// lab0: not supported
// 47: sixteen gigabytes that no file shows.
#include "warpwise.h"

LAUNCH(scale, .block = {256});
__device__ char big[1ull << 34];
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f + big[(size_t)i << 20];
}
