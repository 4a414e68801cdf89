// refused: technique
// each thread takes two neighbours one after the other: every access is a stride of two
#include "warpwise.h"

LAUNCH(scale, .block = {256}, .tile = {512});

extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    float a = 0, b = 0;
    if (i < n) a = in[i];
    if (i + 1 < n) b = in[i + 1];
    if (i < n) out[i] = 2.0f * a + 1.0f;
    if (i + 1 < n) out[i + 1] = 2.0f * b + 1.0f;
}
