// lab0: too many instructions
// 48: a loop unrolled two hundred thousand times.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
#pragma unroll 200000
    for (int k = 0; k < 200000; ++k) sum += k == n ? 1.0f : 0.0f;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f + (sum - sum);
}
