// lab0: too slow | passed | technique
// 9: slow on purpose in the first launches.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n < 1000000) __nanosleep(1000000);
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
