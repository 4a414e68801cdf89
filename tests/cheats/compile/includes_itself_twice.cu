// lab0: does not build
// 44: 2^30 times.
#if __INCLUDE_LEVEL__ < 30
#include __FILE__
#include __FILE__
#endif
#if __INCLUDE_LEVEL__ == 0
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
#endif
