// lab0: out of bounds
// 19: looks at what lies before and behind its arrays.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (i < n) for (int k = 1; k < 4096; k *= 2) sum += in[i - n - k] + in[n + k];
    if (i < n) out[i] = 2.0f * in[i] + 1.0f + sum * 0.0f;
}
