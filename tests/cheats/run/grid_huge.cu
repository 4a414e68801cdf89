// lab0: not passed
// 18: as many blocks as there are numbers.
#include "warpwise.h"

LAUNCH(scale, .block = {1024}, .per_sm = 2147483647);

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f;
}
